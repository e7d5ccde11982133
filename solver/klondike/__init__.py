"""Klondike with redeals: a kernel for classes of states, and an oracle.

Begin with `state`: what is packed into 64 bits, and which moves are left out and why. `search` decides.
"""
