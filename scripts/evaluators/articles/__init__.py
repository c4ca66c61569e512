"""The examples of the articles behind the plugins, with the answers given here.

Each module has an article's statements as constants, which the tests of its plugin also use, and
``examples()``, which compares them with the plugin's answers.
"""
