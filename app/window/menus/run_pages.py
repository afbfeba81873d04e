"""The Runs menu: the runs browser, disagreements and results, and the links between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from pathlib import Path

    from spatial_workbench.app.background.evaluations import ExportSelection
    from spatial_workbench.app.frame.host import Host
    from spatial_workbench.app.results.page import ResultsPage
    from spatial_workbench.app.runs.differences.disagreements import DisagreementsPage
    from spatial_workbench.app.runs.page import RunsPage
    from spatial_workbench.app.runs.trust.agreement import VerifierAgreementPage
    from spatial_workbench.engine.evaluation.comparing.sets import AttemptSet
    from spatial_workbench.engine.store import RunFilter

PUBLISH_TIP = "Write the results as a site for any web server"


class RunPages(QObject):
    """Opens the pages about stored attempts."""

    def __init__(
        self,
        window: Host,
        export: Callable[[ExportSelection, str, Path], None],
        judge_steps: Callable[[tuple[int, ...]], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._export = export
        self._judge_steps = judge_steps
        for name, make in (
            ("runs", self._make_runs),
            ("disagreements", self._make_disagreements),
            ("results", self._make_results),
        ):
            window.pages.register(name, make)
        add = window.actions_registry.add
        add("runs.browse", "Runs", "&Browse runs", self.show_runs, "Ctrl+Shift+R", "list")
        add("runs.disagreements", "Runs", "&Disagreements", self.show_disagreements, "Ctrl+Shift+D", "compare")
        add("runs.results", "Runs", "R&esults", self.show_results, "Ctrl+Shift+T", "chart")
        add("results.publish", "File", "Publish as a &site…", self.publish_site, "", "open", PUBLISH_TIP)

    def show_runs(self, run_filter: RunFilter | None = None) -> RunsPage:
        """Goes to the runs browser, filtered if a filter is given."""
        page: RunsPage = self._window.pages.show("runs")
        if run_filter is not None:
            page.filters.set_filter(run_filter)
        return page

    def show_runs_of(self, batch: int) -> None:
        """Lists the attempts of a batch."""
        from spatial_workbench.engine.store import RunFilter

        self.show_runs(RunFilter(batch=batch))

    def show_run(self, attempt: int) -> None:
        """Goes to an attempt in the runs browser."""
        self.show_runs().show_attempt(attempt)

    def show_steps(self, attempt: int) -> None:
        """Goes to the judged steps of an attempt at a puzzle in the runs browser."""
        page = self.show_runs()
        page.show_attempt(attempt)
        page.detail.tabs.setCurrentWidget(page.detail.steps)

    def show_disagreements(self) -> None:
        """Goes to the page of disagreements."""
        self._window.pages.show("disagreements")

    def compare_sets(self, first: AttemptSet, second: AttemptSet) -> None:
        """Goes to the results, and compares two sets of attempts."""
        page: ResultsPage = self._window.pages.show("results")
        page.compare_sets((first, second))

    def compare_verifiers(self, attempts: tuple[int, ...]) -> None:
        """Goes to the agreement of verifiers, over these attempts."""
        page: VerifierAgreementPage = self._window.pages.show("agreement")
        page.choose_attempts(attempts)

    def show_results(self) -> None:
        """Goes to the results."""
        self._window.pages.show("results")

    def publish_site(self) -> None:
        """Goes to the results, and opens the dialog that publishes them."""
        page: ResultsPage = self._window.pages.show("results")
        page.publish_site()

    def _make_runs(self) -> RunsPage:
        from spatial_workbench.app.runs.page import RunsPage

        window = self._window
        page = RunsPage(window.project, window.jobs, window.settings, window.pages.holder)
        page.message.connect(window.show_message)
        page.attempt_opened.connect(window.open_attempt)
        page.compare_requested.connect(window.show_comparison)
        page.replay_requested.connect(window.show_replay)
        page.export_wanted.connect(self._export)
        page.steps_wanted.connect(self._judge_steps)
        page.sets_wanted.connect(self.compare_sets)
        page.agreement_wanted.connect(self.compare_verifiers)
        page.table.addAction(window.actions_registry["view.video"])
        return page

    def _make_disagreements(self) -> DisagreementsPage:
        from spatial_workbench.app.runs.differences.disagreements import DisagreementsPage

        page = DisagreementsPage(self._window.project, self._window.jobs, self._window.settings)
        page.message.connect(self._window.show_message)
        page.replay_requested.connect(self._window.show_replay)
        page.findings_wanted.connect(self._window.actions_registry["runs.findings"].trigger)
        return page

    def _make_results(self) -> ResultsPage:
        from spatial_workbench.app.results.page import ResultsPage

        page = ResultsPage(self._window.project)
        page.message.connect(self._window.show_message)
        page.runs_requested.connect(self.show_runs)
        page.attempt_requested.connect(self.show_run)
        page.pair_requested.connect(lambda first, second: self.show_runs().row_actions.compare(first, second))
        return page
