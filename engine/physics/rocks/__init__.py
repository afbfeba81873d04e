"""Rocks that blasts set rolling over a height map.

rolled_plans    simulated plans of blasts, remembered by their content: in this process blast by blast
rolling         rock spheres rolling over a height map: what one blast does
"""
