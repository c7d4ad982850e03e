"""Reports contain no paths of the machine."""

import sys
from pathlib import Path

from compliance.redact import Redactor


def test_paths_and_addresses(tmp_path: Path) -> None:
    redact = Redactor(tmp_path)
    text = f"{tmp_path}/a.py {Path.home()}/x {sys.prefix}/lib <f at 0x7f3a2b1c> {Path.cwd()}/y"
    found = redact(text)
    assert found.startswith("<suite>/a.py ")
    assert "0x..." in found
    for path in (tmp_path, Path.home(), sys.prefix, Path.cwd()):
        assert f"{path}/" not in found


def test_longer_words_stay(tmp_path: Path) -> None:
    assert Redactor(tmp_path)(f"{tmp_path}-other 0xff") == f"{Redactor()(str(tmp_path))}-other 0xff"
