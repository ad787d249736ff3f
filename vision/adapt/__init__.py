"""Own sets: small additions to the shipped board networks, learnt from a few labelled photos without torch."""
