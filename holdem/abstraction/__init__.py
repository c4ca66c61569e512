"""Card abstraction: strengths, numberings and buckets of all hands of a street.

`streets` lists one board of each set of boards that are equal up to suit permutations. `numbering`
converts hands up to suit permutations to consecutive integers and back. `strengths` computes the
equity of every hand of a street, and how it is distributed over the cards to come. `buckets` groups
hands of similar strength, and `clustering` groups them by k-means. `array_files` writes strengths
and buckets to files.
"""
