"""What a file of the journal holds: a record of one of these kinds."""

from calmkb.model.entries import Entry
from calmkb.model.improvements import Improvement
from calmkb.model.marks import Feedback, FinishedStep, ProjectAlias, Resumption
from calmkb.model.memories import Memory
from calmkb.model.reflections import Reflection

Record = (
    Entry | Memory | Reflection | Improvement | Resumption | Feedback | ProjectAlias | FinishedStep
)
