"""The strength of every hand of a street, numbers for hands, and buckets of hands."""
