"""The wheel: `pip wheel . --no-build-isolation --no-deps`.

CMake builds the module in VERNE_BUILD_FOLDER (build/wheel), without Ipopt. Every library that it needs and that not all
machines with the same or a later glibc have is copied beside it, with the licence that Debian keeps of it.
"""
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
WORK = pathlib.Path('build/wheel-work')
# glibc and the compiler's libraries, as the tag manylinux expects them to be there.
EVERYWHERE = re.compile(r'(linux-vdso|ld-linux.*|libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+|libz)\.so')


def version():
    return re.search(r'project\(verne VERSION ([\d.]+)', (ROOT / 'CMakeLists.txt').read_text(encoding='utf-8'))[1]


def needed(module, lazy):
    """Paths, by name, of the libraries that the loader would take for `module`, or ours for it (`lazy`: files), and that
    must travel with it."""
    def said(*command):
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    found = {re.search(r'SONAME.*\[(.*)\]', said('readelf', '-d', file))[1]: pathlib.Path(file).resolve() for file in lazy}
    for line in ''.join(said('ldd', file) for file in [module, *lazy]).splitlines():
        name = line.split()[0]
        if EVERYWHERE.match(pathlib.Path(name).name):
            continue
        if '=> /' not in line:
            sys.exit(f'setup.py: {module} needs {name}, which is not installed')
        found[name] = pathlib.Path(line.split('=> ')[1].split(' (')[0]).resolve()
    return found


def licence(library):
    """Name, version and licence of the Debian package that installed a library."""
    for path in (library, str(library).removeprefix('/usr')):
        owner = subprocess.run(['dpkg', '-S', path], capture_output=True, text=True)
        if owner.returncode == 0:
            package = owner.stdout.split(':')[0]
            release = subprocess.run(['dpkg-query', '-W', '-f=${Version}', package], check=True, capture_output=True, text=True)
            return package, release.stdout.split('\n')[0], pathlib.Path(f'/usr/share/doc/{package}/copyright')
    sys.exit(f'setup.py: no Debian package has installed {library}: its licence is not known')


class BuildByCMake(build_ext):
    def run(self):
        folder = pathlib.Path(os.environ.get('VERNE_BUILD_FOLDER', ROOT / 'build' / 'wheel'))
        subprocess.run(['cmake', '--preset', 'release', '-B', folder, '-DVERNE_PYTHON=ON', '-DVERNE_IPOPT=OFF',
                        f'-DPython3_EXECUTABLE={sys.executable}'], check=True, cwd=ROOT)
        subprocess.run(['cmake', '--build', folder, '--target', 'verne_python', '--parallel'], check=True)
        package = pathlib.Path(self.build_lib) / 'verne'
        package.mkdir(parents=True, exist_ok=True)
        for old in package.glob('*.so*'):
            old.unlink()
        shutil.rmtree(package / 'licences', ignore_errors=True)
        module = next((folder / 'python' / 'verne').glob('_verne.*.so'))
        libraries = needed(module, (folder / 'lazy_libraries').read_text(encoding='utf-8').split())
        shutil.copy(module, package)
        for name, path in libraries.items():
            shutil.copy(path, package / name)
        for file in package.glob('*.so*'):
            subprocess.run(['strip', '--strip-unneeded', file], check=True)
            subprocess.run(['patchelf', '--set-rpath', '$ORIGIN', file], check=True)
        self.write_licences(package / 'licences', {name: path for name, path in libraries.items() if folder not in path.parents})

    @staticmethod
    def write_licences(folder, libraries):
        folder.mkdir()
        lines = []
        for name, path in sorted(libraries.items()):
            package, release, text = licence(path)
            shutil.copy(text, folder / package)
            lines.append(f'{name}: {package} {release}\n')
        (folder / 'README').write_text('Libraries beside the module, from these packages of Debian, whose licences are here:\n\n' +
                                       ''.join(lines), encoding='utf-8')


os.chdir(ROOT)
WORK.mkdir(parents=True, exist_ok=True)
libc, libc_version = platform.libc_ver()
setup(
    version=version(),
    ext_modules=[Extension('verne._verne', [])],
    cmdclass={'build_ext': BuildByCMake},
    options={
        'build': {'build_base': str(WORK)},
        'egg_info': {'egg_base': str(WORK)},
        'bdist_wheel': {'plat_name': f'manylinux_{libc_version.replace(".", "_")}_{platform.machine()}'},
    },
)
