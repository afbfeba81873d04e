"""The keys that seal the outcomes of studies."""

from __future__ import annotations

from spatial_workbench.engine.store.base import ProjectPart, now
from spatial_workbench.engine.store.studies.records import StudyError
from spatial_workbench.engine.studies.files.sealing import NewSeal, Seal, SealError, recovery_key, unlock


class StudyKeys(ProjectPart):
    """The keys of frozen versions, by the versions' hashes.

    A version that was frozen before there were keys has none; its answers are not sealed.
    """

    def add(self, study: str, version: str, new: NewSeal) -> None:
        """Stores the keys of a version that is being frozen."""
        row = {"hash": version, "study": study, "seal": new.seal.model_dump_json(), "private": "", "at": now()}
        self._insert("study_keys", row)

    def hand_down(self, parent: str, version: str) -> None:
        """Gives an amended version the keys of its parent, so that one passphrase opens both."""
        row = self._row("SELECT * FROM study_keys WHERE hash = ?", parent)
        if row is not None:
            self._insert("study_keys", dict(row) | {"hash": version, "at": now()})

    def public(self, version: str) -> str:
        """The public key of a version, hexadecimal; "" if its answers are not sealed."""
        row = self._row("SELECT seal FROM study_keys WHERE hash = ?", version)
        return "" if row is None else Seal.model_validate_json(row["seal"]).public

    def private(self, version: str) -> bytes | None:
        """The private key of a version; None until outcomes are opened."""
        row = self._row("SELECT private FROM study_keys WHERE hash = ?", version)
        return bytes.fromhex(row["private"]) if row is not None and row["private"] else None

    def is_locked(self, study: str) -> bool:
        """Whether opening the outcomes of a study needs its passphrase or its recovery key."""
        return self._row("SELECT 1 FROM study_keys WHERE study = ? AND private = ''", study) is not None

    def recovery(self, study: str, passphrase: str) -> str:
        """The recovery key of a frozen study, to be printed and kept.

        Raises:
            StudyError: The passphrase is wrong, or the answers of the study are not sealed.
        """
        row = self._row("SELECT seal FROM study_keys WHERE study = ? ORDER BY at DESC", study)
        if row is None:
            raise StudyError("The answers of this study are not sealed, so it has no recovery key.")
        try:
            return recovery_key(Seal.model_validate_json(row["seal"]), passphrase)
        except SealError as error:
            raise StudyError(str(error)) from None

    def private_by(self, version: str, secret: str) -> bytes:
        """The private key of a version, which stays as it is: outcomes are not opened by this.

        secret: The passphrase or the recovery key.

        Raises:
            StudyError: It is neither, or the answers of the version are not sealed.
        """
        row = self._row("SELECT seal FROM study_keys WHERE hash = ?", version)
        if row is None:
            raise StudyError("The answers of this study are not sealed.")
        try:
            return unlock(Seal.model_validate_json(row["seal"]), secret)
        except SealError as error:
            raise StudyError(str(error)) from None

    def unlock(self, study: str, secret: str) -> None:
        """Decrypts the private keys of a study, and stores them.

        secret: The passphrase or the recovery key.

        Raises:
            StudyError: It is neither; nothing was stored.
        """
        for row in self._rows("SELECT hash, seal FROM study_keys WHERE study = ? AND private = ''", study):
            try:
                private = unlock(Seal.model_validate_json(row["seal"]), secret)
            except SealError as error:
                raise StudyError(str(error)) from None
            self._execute("UPDATE study_keys SET private = ? WHERE hash = ?", private.hex(), row["hash"])
