"""The photo studio: rendered photos with exact truth, for training, tests and samples.

profile + state -> ``Scene`` (what stands where, under which light, seen by which camera)
-> a back end (``fast`` or ``blender``) -> linear picture -> the phone (lens, blur, noise, JPEG) -> photo + truth.
"""
