"""Inference with the Universum (Weston, Collobert, Sinz, Bottou, Vapnik), a poster."""
