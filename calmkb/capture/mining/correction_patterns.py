"""The forms of words in which people correct an agent, lay down a rule, or report trouble."""

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


# What people say before they come to the point, and where in a sentence an order can begin.
_LEAD = (
    r"^(?:(?:ok|okay|ah|oh|hm+|uh|wait|sorry|yes|yeah|well|also|and|but|so|please|hey|hold on"
    r"|again|btw|actually|just)\b[\s,.:;!\u2013\u2014-]*)*"
)
_JOINT = r"(?:[,;:\u2013\u2014]\s*|\s-+\s|\b(?:please|and|but|so|just|then)\s+)"
_CLAUSE = rf"(?:{_LEAD}|{_JOINT})"
# "Can you check that they don't …" asks for a look; the order in it is no order to the agent.
_ORDER = rf"(?:{_LEAD}|^(?!.*\b(?:can|could) you\b).*{_JOINT})"
_NOT_TALK = r"(?!worr|mind|know|think|bother|forget|see|understand|care|need|hesitate|get me wrong)"
# "Don't commit yet" steers this session; it says nothing about the next one.
_NOT_NOW = r"(?!.*\b(?:yet|for now|until|till|anything|any code|at this point|right now)\b)"
_THING = r"[`'\"\w./:@-]+"

CONVENTION = _any(
    r"\bfrom now on\b|\bgoing forward\b|\bin (?:the )?future,|\bby convention\b|\bconvention: ",
    r"\bas a (?:general )?rule\b|\brule of thumb\b|\bhouse rule",
    rf"{_CLAUSE}(?:always|never|don't ever|do not ever)\s+(?!mind\b|seen|had|been|saw|nice)[a-z]+",
    r"\bwe (?:should |must )?(?:always|never|usually|normally|only ever) (?!had|saw|seen"
    r"|got)[a-z]+",
    r"\b(?:you should|must|has to|have to|needs? to) (?:always|never)\b|\b(?:should|may) never\b",
    r"\bwe prefer\b|\bI (?:always )?prefer (?!to (?:wait|do that later))\w+",
    r"\b(?:our|the) (?:naming |code |team |project )?"
    r"(?:conventions?|standard|house style|code style|style guide|approach|policy|rule)"
    r" (?:is|says|here|for)\b",
    r"\bour (?:naming )?(?:conventions?|standards?|(?:code )?style)\b",
    r"\bwe (?:follow|stick to|name|prefix|suffix)\b",
    r"\bwe (?:put|keep) (?:\S+ ){1,6}(?:in|under|next to|beside)\b",
    r"\b\w+ (?:goes?|belongs?|lives?) (?:in|under|into|next to) [`'\"\w./]+",
    r"\b\w+s go (?:in|under|into|next to) [`'\"]?[\w.-]*/",
    r"\b(?:around here|on this team|in this (?:project|repo|repository|codebase)),?"
    r" (?:we|you|all|every|the|use|never|always|it)\b",
    r"(?<!so )(?<!that )\bwe (?:don't|do not|never)"
    r" (?:use|mock|commit|push|write|put|add|allow|want|do|test|import)\b",
    r"\bwe use (?:\S+ ){1,5}(?:here|for|not|instead|everywhere)\b",
    r"\b(?:match|follow|stick to|respect|use|keep (?:to|with)) (?:the |our )?"
    r"(?:existing|same|usual|established|current) (?:\S+ ){0,3}"
    r"(?:style|pattern|convention|structure|format|naming)s?\b(?! (?:as|of)\b)",
    r"\bmake sure (?:to|you|that you) (?:.*\b)?(?:always|before you|every|whenever)\b",
    r"\b(?:every|each) time you\b|\bwhenever you\b",
    r"\bremember (?:to|that)\b.*\b(?:always|before|every|whenever|after)\b",
)

# These correct anywhere, unless the person merely wonders.
STRONG = _any(
    rf"{_LEAD}(?:no|nope|nah)(?: no)*\s*[,.!:;\u2013\u2014-]+"
    r"(?!\s*(?:worries|problem|need|rush|idea|thanks"
    r"|(?:that|this|it)(?:'s| is) (?:fine|ok|okay|all|good|it)\b|all good|go ahead|you can))"
    r"\s*\w+",
    rf"{_LEAD}no (?:we|you|it|that|this|the|don't|do not|use|i (?:meant|want|said|mean))\b",
    rf"{_LEAD}(?:wrong|incorrect|not quite|not what|not like that|nope)\b",
    r"\b(?:that|this|it|which)(?:'s| is| was|s) (?:just |still |simply |actually )?"
    r"(?:not (?:right|correct|true|quite|what|how|where|why|the (?:right|point|way|problem|issue))"
    r"|wrong|incorrect|outdated|backwards)\b",
    r"\b(?:that|this|it) isn't (?:right|correct|true|quite|what|how|where|the (?:right|point"
    r"|way))\b",
    r"\bis not (?:correct|right|what (?:i|we))\b|\bnot what I (?:asked|meant|wanted|said)\b",
    r"\byou(?:'re| are| were) (?:wrong|mistaken|confus|missing the|looking (?:at|in) the wrong"
    r"|overcomplicat|overengineer|guessing|assuming)",
    r"\byou (?:misunderstood|misread|misinterpreted|forgot|missed|broke|removed|deleted|ignored"
    r"|skipped|changed|overwrote|didn't|did not|shouldn't|should not)\b",
    r"\byou (?:just |only |really )?(?:should|need to|have to|must)(?: just| only)?"
    r" (?!see|get|be able|know|find)\w+",
    r"\bwhy (?:did|are|were|would|do|have) you\b|\bwhy you\b.*\binstead\b",
    r"\bwhy (?:are we not|aren't we|don't we|didn't (?:you|we)|aren't you|don't you|isn't it"
    r"|not (?:just |simply )?(?:us|add|do|call|put|mak|keep|reus)(?:e|ing)?)\b",
    rf"{_LEAD}I (?:said|meant|mean|asked|told|didn't ask|did not ask|didn't mean"
    r"|already (?:told|said)|explicitly)\b",
    r"\bI (?:already )?(?:told you|asked you (?:not )?to|didn't ask (?:for|you))\b",
    rf"{_ORDER}stop (?!hook|says|button|at|words?|it from)[a-z]+ing\b",
    rf"{_ORDER}(?:don't|do not|dont)\s+(?:just\s+)?{_NOT_TALK}{_NOT_NOW}[a-z]+",
    r"\buse [^.?!]{1,60}?\b(?:instead of|rather than|in place of)\b",
    r"\buse `?[\w./@-]+`?(?: here| for \w+)?,? (?:and )?not `?[\w./@-]+",
    rf"{_LEAD}instead of [^.?!]{{1,90}}(?:\b(?:we|you|it) should\b|\buse\b|,\s*\w+|\bdo\b)",
    r"\b(?:prefer|want) [^.?!]{1,40}? (?:over|rather than|instead of|not)\b",
    r"\bswitch (?:it |this |that |back )?to \S+ instead\b|\bswitch back to\b",
    rf"{_CLAUSE}(?:revert|undo|roll back|put back|restore)"
    r" (?:that|this|it|the|your|all|those|these|to)\b|\b(?:need|have|want) to revert\b",
    r"\b(?:put|change) (?:it|that|this|them|the \w+) back\b",
    r"\b(?:should|must) not (?:be|have|use)\b|\b(?:is|was|are|were)?n't supposed to\b",
    r"\bshouldn't (?:be (?!too|that|hard|a problem|an issue|difficult)|have|use|need)\b",
    r"\b(?:that|it|this) (?:doesn't|does not) mean\b|\bnot supposed to\b",
    r"\bwe (?:don't|do not|didn't|did not) do (?:that|it|this)\b",
    r"\bnot anymore\b|\bno longer (?:use|using|need|exists?|true|the case|valid)\b",
    r"\b(?:is|are|was|were|it's|that's) deprecated\b|\bthat(?:'s| has)? changed\b",
    r"\b(?:can't|couldn't) (?:we|you|it) (?:just|simply)\b|\bwhy can't (?:we|it) (?:just|simply)\b",
    r"\bshouldn't (?:we|you|it|this|that|the \w+) (?!get|see)\w+",
    r"\b(?:doesn't|does not|don't) (?:make (?:any )?sense|(?:look|seem|sound) (?:right|correct))\b",
    r"\bseems? (?:wrong|off|incorrect|backwards)\b|\b(?:I'd|I would|we'd) rather\b",
    r"\b(?:is|are|seems?|feels?|looks?) (?:a bit )?(?:unnecessary|overkill|pointless)\b",
    r"\b(?:remove|delete|drop) [^.?!]{0,40}\byou (?:just )?(?:added|made|created|wrote)\b",
    r"\bthere is no such\b|\bwhat I (?:want|meant|need|asked for) (?:is|was)\b",
)

# These correct only in a plain statement.
WEAK = _any(
    r"^(?:also:?\s*|and\s+|but\s+|no\s+)?(?:the|it|this|that|these|those|they) .{0,80}"
    r"\b(?:should|must|needs? to)"
    r" (?:be|have|go|use|live|say|return|show|match|stay|come|contain|point|only|still)\b",
    r"\bshould\b.*, not\b|\b(?:is|are|was|were|it's|that's) (?:\S+ ){0,3}\S+, not \S",
    r"^(?:it|that|this)(?:'s| is) not (?:a|an|the|really)\b",
    r"^(?:I think )?(?:it|that|this|they|the [^.?!]{1,40}) should (?:only|still|just|never|not)\b",
    r"\bwe already (?:have|do|use|handle)\b|\bwould be better\b|\bbetter to\b",
    # What the agent could not know: "the tests need the database running first".
    r"\b(?:needs?|requires?|has to|have to) (?!I\b|you\b|we\b).{0,60}"
    r"\b(?:first|running|before|up|started)\b",
    rf"\b(?:is|are|was|were|it's|that's) (?:just |only |actually )?(?:\w+ (?:from|in|by"
    rf"|at) )?{_THING}"
    rf"(?: \w+)?,? (?:and )?not (?:a |an |the |in |on |from |by |at )?{_THING}",
    r"\bnot [`'\"\w./-]+(?: \w+)?,? but [`'\"\w./-]+",
    rf"{_LEAD}(?:actually|rather)\b[, ]",
    rf"\bsupposed to\b|\bmeant to\b|\binstead\b|{_CLAUSE}rather than\b",
    r"\btoo (?:complicated|complex|verbose|long|much|aggressive|strict|generic)\b",
    rf"{_LEAD}but (?:the|that|this|it|we|there) .*"
    r"\b(?:already|only|specific|never|is not|isn't|doesn't|don't)\b",
    r"^(?:not|only) (?:in|on|the|for|with|that)\b",
    r"\b(?:keep|leave) (?:it|that|them|the \w+) (?:as|like) (?:it|they|is|was)\b",
)

TROUBLE = _any(
    r"\b(?:is|are|still|keeps?|was|now|it's) (?:still |now |also |always )?"
    r"(?:failing|broken|crashing|hanging|red|stuck|blowing up|flaky)\b",
    r"\b(?:tests?|build|ci|lint|linter|pipeline|job|checks?|deploy|deployment|run|compile"
    r"|migration|script|hook|server|app|page|command)\b[^?]{0,30}"
    r"\b(?:fails?|failed|crash(?:es|ed)?|hangs?|hung|broke|errors? out)\b",
    r"\b(?:doesn't|does not|didn't|did not|not|isn't|won't) (?:\w+ )?"
    r"(?:work|compile|build|start|load|run|pass)(?:ing)?\b",
    r"\b(?:getting|get|got|see|seeing|hit|hitting|throws?|threw) (?:this |that |an? |the |these )?"
    r"(?:\w+ ){0,2}(?:errors?|exceptions?|fail\w*|timeouts?|crash\w*)\b",
    r"\b(?:happen(?:ed|ing|s)|broken?) again\b|\bstill (?:fails?|broken|happen(?:s|ing))\b",
    r"\bsomething broke\b|\b(?:lint|tests?) failing\b",
    r"\bworked (?:fine )?(?:before|until|yesterday)\b",
)

ASKS = _any(
    r"\?\s*$",
    r"^(?:is|are|was|were|do|does|did|have|has|what|when|where|which|who|how|why|shall|may)\b",
    r"^(?:can|could|would|will) (?:we|you|it) (?!always|never|please always)",
)
WONDERS = _any(r"\b(?:wondering if|I'd like to|I would like to|what if|maybe|should we|do we)\b")
HEDGE = _any(
    r"\?\s*$",
    r"^(?:can|could|would|will|is|are|was|were|do|does|did|have|has|what|when|where|which|who|how"
    r"|why|shall|may)\b",
    r"\b(?:wondering|wonder|maybe|perhaps|thinking about|what if|I'd like|I would like|curious"
    r"|might|could be|not sure|let me know|can you|could you|I don't think we|do we|should we"
    r"|if we|whether|explain)\b",
)

_POLITELY = "(?:can|could|would) you (?:please )?"  # a polite order is an order
REDIRECTS = _any(
    rf"{_LEAD}(?:{_POLITELY})?(?:revert|undo|roll ?back) (?:that|this|it|the|your|all)\b",
    rf"{_LEAD}(?:use|do|put|make|take|call|try|keep|write|add) [^.?!]{{1,60}} instead[.!]?\s*$",
    rf"{_LEAD}{_POLITELY}\w+ (?:it|this|that|them) [^.?!]{{0,40}}without\b",
)
# Who asks whether something is so has understood, or not yet: nothing is corrected.
UNDERSTANDS = _any(
    r"[, ](?:right|correct|isn't it|doesn't it)\s*\?+\.?\s*$",
    rf"{_LEAD}(?:why (?:do|does|would|should) (?:you|we|it|they)\b|shouldn't \w+ "
    r"|do you think\b|is it (?:correct|right|true) that\b).*\?\.?\s*$",
)

# A floor for recall: in a plain statement these count, whatever the model says of the prompt.
_HERE = r"(?:in this (?:project|repo|repository|codebase)|on this team|around here)"
_LAYOUT = r"(?:(?:file|folder|directory) structure|naming convention)"
_BAD = r"(?:wrong|incorrect|outdated|deprecated)"
# What a newcomer is told of a project, and what is no more than its state at the moment.
_SLOT = (
    r"(?:(?:default|main|base|release|target) branch|package manager|entry ?point"
    r"|(?:test|build|lint|format|start|deploy|dev) (?:command|runner|server|script|task)"
    r"|(?:config\w*|settings?|lock) file|(?:test|staging|production|dev) (?:database|server|host))"
)
_STATE = (
    r"(?:not|still|now|already|too|so|very|down|up|broken|missing|gone|wrong|failing|passing|an?"
    r"|running|deprecated|outdated|red|green|slow|empty|ok|fine|good|ready|done|as|that|what|how)\b"
)
_REPROOF = rf"{_LEAD}(?:don't|do not|dont) use \S|{_LEAD}prefer [^.?!]{{1,40}}? (?:over|to) "
PLAIN_RULE = _any(
    rf"{_LEAD}{_HERE}\b",
    rf"{_LEAD}(?:don't|do not|dont) [a-z]+ .*\bwithout (?:my|our|asking|telling|checking|a)\b",
    r"\b(?:our|the|project|team) (?:\w+ )?(?:conventions?|patterns?|code style|standards?|policy"
    r"|approach)(?: here| (?:to|for) \w+)? (?:is|are|has|wants)\b",
    rf"\b{_LAYOUT}(?: (?:of|for) [\w ]{{1,30}})? (?:is|mirrors|follows|should|must|goes|has)\b",
    rf"{_LEAD}(?:follow|keep(?: to)?|match|respect|stick to) .{{0,30}}\b(?:{_LAYOUT}|code style)\b",
    rf"\b(?:code style|{_LAYOUT})(?: here| for \w+| \w+)?:|^code style is\b",
    rf"{_LEAD}(?:the |that |our |new |each )?(?:[\w-]+ ){{1,3}}go(?:es)? (?:in|into|under) \S",
    rf"{_LEAD}(?:we )?use `?[\w./@-]+`?(?: \S+){{0,4}}?,? (?:and )?(?:not|never) \S",
    rf"{_LEAD}switch (?:over )?to .*\beverywhere\b",
    _REPROOF,
    rf"^(?:the|our) {_SLOT}(?: here)? (?:is|runs?) (?!{_STATE})(?:`.*`|\S+(?: \S+){{,3}})$",
    r"^(?:the|our) (?!bug|error|issue|problem|fail)(?:\S+ ){1,3}(?:(?:is|are) (?:called|named) \S+$"
    r"|(?:is|are|lives?|goes?) (?:in|under|at) [`\w.-]*[/`]\S+$)",
    r"\b(?:always|never) needs?\b|\bare (?:always|never) (?:in|on|under|named|called|written)\b",
    rf"{_LEAD}no (?!errors|issues|problems|failures|changes|warnings)[\w-]+s (?:in|on) [\w -]+$",
    rf"{_LEAD}keep (?:\S+ ){{1,4}}(?:under|below|within) \S",
    r"^I (?:always )?(?:handle|take care of|deal with) \w+",
)
# Rules that set the agent right once it has begun.
REPROOF = _any(_REPROOF, r"\bwe (?:don't|do not) do (?:that|it|this)\b")
# Beside the task of a first prompt an order holds for the work to come; alone it is the task, and
# later it sets the agent right.
PLAIN_ORDER = _any(
    rf"{_LEAD}use `?[\w./@-]+`?(?: \S+){{0,4}}? (?:instead of|rather than) \S",
    rf"{_LEAD}(?:go|stick|stay|run|pick) [^.?!]{{1,50}}? (?:instead of|rather than) \S"
    rf"|{_LEAD}use [^.?!]{{1,40}}, (?:don't|do not|never) \S|{_LEAD}stop using \S",
    rf"{_LEAD}(?:let's |we )?switch (?:over )?to "
    r"(?!(?:the )?(?:\S+ )?(?:branch|main|master|pr|plan|task|topic)\b)\S",
    rf"{_LEAD}(?:let's |we )?(?:switch|migrate) (?!.*\b(?:branch|main|pr)\b)(?:\S+ ){{1,3}}to \S",
)
PLAIN_CORRECTION = _any(
    rf"{_LEAD}(?:change|make|turn) (?:it|that|this|them) (?:in)?to \S",
    rf"{_LEAD}(?:{_BAD}|not quite|not anymore|(?:I(?:'d| would) )?rather|I meant)\b",
    # Weak words, in a sentence that says no more.
    rf"^(?=.{{0,80}}$)(?:actually\b|.* instead[.!]?$|instead\b|{_LEAD}[a-z]+ .*\brather than\b)",
    rf"{_LEAD}(?:or )?(?:no|nope|nah)"
    r"(?:[,.!:;\u2013\u2014-]+ *+|(?= (?:do|don't|just|leave|keep)\b))"
    r"(?!(?:worries|problem|need|rush|idea|thanks|all good|go ahead|you can|write"
    r"|(?:it|that|this)(?:'s| is) (?:all )?(?:fine|ok|okay|good|great|it))\b)",
    rf"\b(?:that|this|it)(?:'s| is) (?:not right|the wrong|{_BAD})\b|\bthat('s| has)? changed\b",
    rf"^(?:(?:the|this|that|it|our|your|don't,) )?(?:\S+ ){{1,4}}(?:is|are) {_BAD}\b",
    rf"{_LEAD}(?:the|our|it|this|that|these|those|they)(?: \S+){{0,4}}?(?:'s| is| are| was| were) "
    r"(?:supposed|meant) to \w+",
    rf"{_LEAD}(?:it|this|that|these|those|they|(?!there\b)(?:the |our |all |every |each )?[\w-]+"
    r"(?: [\w-]+){0,2}) should be \S",
)
