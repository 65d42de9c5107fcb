"""Between lessons and questions: two or three questions at the foot of a lesson, and the way back from an experiment."""

from __future__ import annotations

import streamlit as st

from pages.parts import bank, contents, current
from pages.parts.contents import Page
from pages.parts.describe import verbatim
from pages.parts.questions import NUMBERS, Bank, Question, house_bank

LAB = {4, 5, 6}  # the lessons whose matter the score lab shows


def page_of(slug: str) -> Page:
    """A page by its slug."""
    return next(page for page in contents.contents() if page.slug == slug)


def questions_of(page: Page, source: Bank, most: int = 3) -> list[str]:
    """The questions at the foot of a page: of as many kinds as can be, those asked in words first."""
    lessons = {page.number} if page.number else LAB
    first: dict[str, str] = {}
    others = []
    for name, (question, form) in source.forms.items():
        if lessons & {*question.lessons} and first.setdefault(NUMBERS if form.recipe else question.kind, name) != name:
            others.append(name)
    return [*first.values(), *others][:most]


def show_questions(here: Page) -> None:
    """At the foot of a lesson: what it can be asked about."""
    if here.slug == bank.SLUG:
        return
    every = house_bank().forms
    with st.container(key="frame_questions"):
        for name in questions_of(here, house_bank()):
            _, form = every[name]
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.page_link(
                    page_of(bank.SLUG).file,
                    label=f"Question {name}",
                    icon=":material/quiz:",
                    query_params={**current.link_to_write(bank.SLUG), "question": name},
                )
                st.markdown(form.asked(bank.FIRST_SHEET), width="stretch")


def show_way_back() -> None:
    """On an experiment: what to look at, and the way back to its question."""
    name = current.asked()
    if not name:
        return
    held = bank.forms().get(name)
    with st.container(horizontal=True, vertical_alignment="center", key="frame_asked", gap="small", border=True):
        st.page_link(
            page_of(bank.SLUG).file,
            label=f"Back to question {name}",
            icon=":material/undo:",
            query_params=current.link_back(name),
        )
        if held:
            st.markdown(held[0].experiment.look, width="stretch")


def show_experiment(name: str, question: Question, *, revealed: bool) -> None:
    """On a question: the way to its experiment, and once it is answered what to look at there."""
    there = page_of(question.experiment.page)
    with st.container(horizontal=True, vertical_alignment="center", key="bank_experiment", gap="small"):
        st.page_link(
            there.file,
            label=f"Try it: {verbatim(there.label) if there.number else 'the score lab'}",
            icon=":material/science:",
            query_params=current.experiment_link(question.experiment.link, name),
        )
        if revealed:
            st.markdown(question.experiment.look, width="stretch")
