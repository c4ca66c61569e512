"""Card abstraction: strengths, numberings and buckets of all hands of a street.

`streets` lists canonical boards, `numbering` turns hands up to suits into consecutive integers and
back, `strengths` computes every hand of a street, and `buckets` puts hands that play alike
together, by strength or by k-means (`clustering`). `array_files` keeps strengths and buckets in
files.
"""
