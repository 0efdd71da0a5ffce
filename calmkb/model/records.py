"""What a file of the journal holds: a record of one of these kinds."""

from calmkb.model.marks import Feedback, FinishedStep, ProjectAlias, Resumption
from calmkb.model.memories.memories import Memory
from calmkb.model.review.improvements import Improvement
from calmkb.model.review.reflections import Reflection
from calmkb.model.sessions.entries import Entry

Record = (
    Entry | Memory | Reflection | Improvement | Resumption | Feedback | ProjectAlias | FinishedStep
)
