"""Graepel, Herbrich and Obermayer (2000), Bayesian Transduction."""
