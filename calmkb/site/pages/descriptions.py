"""What a page is, in a sentence: for search engines, and for cards where its link is pasted."""

from collections.abc import Mapping

DESCRIPTIONS: Mapping[str, str] = {
    "agent": "What an agent worked on: its sessions, and the friction that it met.",
    "category": "Memories of one kind, newest first, each with its evidence.",
    "day": "The sessions of a day: what was done, and what slowed it down.",
    "doubts": "Memories that are stale, broken or in conflict, each with the reason.",
    "file": "The sessions that changed a file, newest first.",
    "files": "Files that several sessions changed, those of most sessions first.",
    "friction": "What slows sessions down, by state: open, growing, came back, answered.",
    "home": "What waits for a person, what changed in a week, and the friction to look at.",
    "improvements": "Changes to the project that people agreed on: pending, made, declined.",
    "memories": "What people decided to keep of their sessions, with the evidence.",
    "month": "The sessions of a month: what was done, and what slowed it down.",
    "next": "What sessions left to do, the oldest first, with project and age.",
    "people": "Who worked, and with which agents.",
    "problems": "Files of the journal that could not be read, each with what fixes it.",
    "project": "One project: its sessions, its memories and its friction.",
    "projects": "The projects that the journal has sessions of.",
    "proof": "Which sessions met the trouble of a memory, and whether what it cites still stands.",
    "reflections": "The reviews in which people decided what to keep.",
    "scopes": "Memories by what they hold for: everywhere, or one project.",
    "sessions": "Every session: what was done, what slowed it down, what it left to do.",
    "statistics": "The journal in numbers.",
    "tags": "Memories by tag.",
    "thread": "A session turn by turn: people, the agent, its tools folded.",
    "told": "What coding agents read before they begin, word for word, with its cost.",
    "waiting": "Sessions that no reflection has covered yet.",
    "week": "A week: what happened, what was decided, what came back, what is open.",
    "weeks": "The journal week by week.",
}
"""Template -> a sentence; a page of one record says what the record does (`Page.about`)."""
