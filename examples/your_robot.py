#!/usr/bin/env python3
"""Writes a robot for docs/your-robot.md: your_robot.py FOLDER

FOLDER/arm.urdf is a four-joint arm of turned aluminium tubes, FOLDER/meshes/*.stl their shapes. Masses and inertias follow
from the shapes. Needs nothing but Python.
"""
import math
import pathlib
import struct
import sys

DENSITY = 1100  # kg/m³: thin walls and motors, spread over the whole volume
CORNERS = 32    # of a circle

# name, joint, its axis, its limits (rad, rad/s, N m), height above the joint before, and the outline: (z, radius) in m
LINKS = [
    ('turret', 'base_yaw', '0 0 1', (-2.9, 2.9, 4.0, 30), 0.06, [(0, 0.07), (0.06, 0.07), (0.14, 0.05), (0.14, 0)]),
    ('upper_arm', 'shoulder', '0 1 0', (-1.9, 1.9, 4.0, 30), 0.12,
     [(-0.05, 0), (-0.05, 0.05), (0.05, 0.05), (0.08, 0.035), (0.30, 0.03), (0.30, 0)]),
    ('forearm', 'elbow', '0 1 0', (-2.6, 2.6, 5.0, 15), 0.30,
     [(-0.04, 0), (-0.04, 0.04), (0.04, 0.04), (0.06, 0.028), (0.26, 0.022), (0.26, 0)]),
    ('hand', 'wrist', '0 1 0', (-2.0, 2.0, 6.0, 5), 0.26,
     [(-0.03, 0), (-0.03, 0.03), (0.03, 0.03), (0.05, 0.02), (0.08, 0.035), (0.10, 0.035), (0.10, 0)]),
]
BASE = [(0, 0), (0, 0.10), (0.03, 0.10), (0.06, 0.07), (0.06, 0)]
TOOL_HEIGHT = 0.10  # above the wrist


def mass_properties(outline):
    """Mass, height of the centre of mass, and inertia about it (across and along z), of a turned solid, in thin discs."""
    mass = moment = along = second = across = 0.0
    for (z0, r0), (z1, r1) in zip(outline, outline[1:]):
        for k in range(100):
            part = (k + 0.5) / 100
            z, r = z0 + part * (z1 - z0), r0 + part * (r1 - r0)
            disc = DENSITY * math.pi * r * r * (z1 - z0) / 100
            mass += disc
            moment += disc * z
            second += disc * z * z
            along += disc * r * r / 2
            across += disc * r * r / 4
    height = moment / mass
    return mass, height, across + second - mass * height ** 2, along


def write_stl(path, outline):
    """The turned solid as triangles."""
    rings = [[(r * math.cos(2 * math.pi * k / CORNERS), r * math.sin(2 * math.pi * k / CORNERS), z) for k in range(CORNERS)]
             for z, r in [(outline[0][0], 0), *outline]]
    triangles = []
    for low, high in zip(rings, rings[1:]):
        for k in range(CORNERS):
            after = (k + 1) % CORNERS
            triangles += [(low[k], low[after], high[after]), (low[k], high[after], high[k])]
    with open(path, 'wb') as file:
        file.write(b'turned solid'.ljust(80) + struct.pack('<I', len(triangles)))
        for corners in triangles:
            file.write(struct.pack('<12fH', 0, 0, 0, *(x for corner in corners for x in corner), 0))


def link_text(name, outline, colour):
    mass, height, across, along = mass_properties(outline)
    return f'''  <link name="{name}">
    <inertial>
      <origin xyz="0 0 {height:.5f}"/>
      <mass value="{mass:.4f}"/>
      <inertia ixx="{across:.6f}" iyy="{across:.6f}" izz="{along:.6f}" ixy="0" ixz="0" iyz="0"/>
    </inertial>
    <visual>
      <geometry><mesh filename="meshes/{name}.stl"/></geometry>
      <material name="{name}"><color rgba="{colour} 1"/></material>
    </visual>
  </link>
'''


def joint_text(name, parent, child, axis, limits, height):
    lower, upper, velocity, effort = limits
    return f'''  <joint name="{name}" type="revolute">
    <parent link="{parent}"/>
    <child link="{child}"/>
    <origin xyz="0 0 {height}"/>
    <axis xyz="{axis}"/>
    <limit lower="{lower}" upper="{upper}" velocity="{velocity}" effort="{effort}"/>
  </joint>
'''


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    (folder / 'meshes').mkdir(parents=True, exist_ok=True)
    text = '<?xml version="1.0"?>\n<robot name="bench_arm">\n' + link_text('base', BASE, '0.25 0.27 0.30')
    write_stl(folder / 'meshes' / 'base.stl', BASE)
    parent = 'base'
    for number, (name, joint, axis, limits, height, outline) in enumerate(LINKS):
        write_stl(folder / 'meshes' / f'{name}.stl', outline)
        text += link_text(name, outline, '0.85 0.45 0.15' if number % 2 else '0.75 0.77 0.80')
        text += joint_text(joint, parent, name, axis, limits, height)
        parent = name
    text += f'''  <link name="tool"/>
  <joint name="tool_mount" type="fixed">
    <parent link="{parent}"/>
    <child link="tool"/>
    <origin xyz="0 0 {TOOL_HEIGHT}"/>
  </joint>
</robot>
'''
    (folder / 'arm.urdf').write_text(text, encoding='utf-8')
    print(f'{folder}/arm.urdf and {len(LINKS) + 1} meshes')


if __name__ == '__main__':
    main()
