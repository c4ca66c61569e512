"""Where the equity of a result comes from: tables by class, by category and by next card."""
