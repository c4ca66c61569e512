"""Card abstraction: strengths, numberings and buckets of all hands of a street.

`streets` lists canonical boards, `numbering` turns hands up to suits into consecutive integers and
back, `strengths` computes every hand of a street, and `buckets` and `clustering` put hands that
play alike together.
"""
