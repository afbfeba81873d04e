"""The filters of the runs browser.

filter_chips         the active filters as chips, each of which can be removed
filter_words         active filters in words
filters              the bar of filters
kept_filters         the filter as it was left in a project
more_filters         the filters that are needed less often, in a popup
"""
