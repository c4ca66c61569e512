"""Whether an evaluator keeps its contract: checks, each with the smallest hand that fails."""
