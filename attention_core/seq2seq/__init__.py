"""A trainable encoder-decoder with additive attention: forward and backward by hand, in NumPy.

Where to read first: `layers` (every step with its derivative beside it), then `model` (the whole network on a batch),
`training` (Adam and the loop), `decoding` (writing, and a hand in the works). `tasks` makes the sentences, `measures`
says how good a network and its maps are, `shipped` holds the recipes of the networks that come with the course, and
`weights` their files. ``python -m attention_core.seq2seq`` trains them all.
"""
