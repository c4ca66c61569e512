"""The page in a browser."""

import shutil
from urllib.parse import urlsplit

import pytest

# No name of another machine is found: what the page asks of one is an error, and is not sent.
_ARGUMENTS = ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def pytest_runtest_setup():
    """Skip every test without Playwright, all at this line: one entry in the summary."""
    pytest.importorskip("playwright.sync_api", reason="needs the extra `browser`")


@pytest.fixture(scope="session")
def browser():
    """Return a browser: Debian's Chromium, or the one that Playwright has installed.

    Its variant without windows takes three quarters of the time.
    """
    from playwright import sync_api

    with sync_api.sync_playwright() as playwright:
        installed = map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))
        path = next(filter(None, installed), None)
        try:
            browser = playwright.chromium.launch(executable_path=path, args=_ARGUMENTS)
        except sync_api.Error as error:
            pytest.skip(f"no browser can be started: {error.message.splitlines()[0]}")
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser, server):
    """Return a function that opens the page in a fresh profile.

    Its arguments are the part of the address from "#" on and options of the profile. Requests that
    leave this machine, and errors of the page, fail the test.
    """
    contexts, faults = [], []

    def check(request):
        address = urlsplit(request.url)
        if address.scheme.startswith(("http", "ws")) and address.hostname != "127.0.0.1":
            faults.append(f"a request to {request.url}")

    def open_page(question="", url=server.url, **options):
        options = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"} | options
        # A browser without windows grants nothing by itself.
        options |= {"permissions": ["clipboard-read", "clipboard-write"]}
        context = browser.new_context(**options)
        context.set_default_timeout(60_000)  # the first answers may wait for compilation
        contexts.append(context)
        page = context.new_page()
        page.on("request", check)  # a route would take a third of the time to load the page
        page.on("pageerror", lambda error: faults.append(f"an error of the page: {error}"))
        page.goto(url + question)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []
