"""English words that hold sentences together and say little of what they are about."""

FUNCTION_WORDS = frozenset(
    """a about above across after afterwards again against all almost alone along already also
    although always am among an and another any anyhow anyone anything anyway anywhere are aren't
    around as at back be became because become becomes been before beforehand behind being below
    beside besides between beyond both but by can can't cannot could couldn't did didn't do does
    doesn't doing don't done down due during each either else elsewhere enough even ever every
    everyone everything everywhere except few for former formerly from further get gets getting go
    goes going gone got had hadn't has hasn't have haven't having he hence her here hers herself him
    himself his how however i i'd i'll i'm i've if in indeed instead into is isn't it it'll it's its
    itself just keep kept last latter least less let let's like made make makes making many may
    maybe me meanwhile might mine more moreover most mostly much must mustn't my myself namely need
    needed needn't needs neither never nevertheless next no nobody none nor not nothing now nowhere
    of off often on once one only onto or other others otherwise our ours ourselves out over own
    part per perhaps please put quite rather really s same say see seem seemed seems several shall
    she should shouldn't show since so some somehow someone something sometime sometimes somewhere
    still such t take than that that's the their theirs them themselves then thence there there's
    therefore these they they're this those though through throughout thus to together too toward
    towards under unless until up upon us use used uses using very via want wants was wasn't we we'd
    we'll we're we've well were weren't what what's whatever when whenever where whereas wherever
    whether which while who who's whoever whole whom whose why will with within without won't would
    wouldn't yet you you'd you'll you're you've your yours yourself yourselves""".split()
)
