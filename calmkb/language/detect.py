"""The language of a short text, by its script and by the small words that only one language has.

Ten languages are known. Code words inside a sentence are English everywhere, so a Latin text
counts as another language only where its small words outnumber the English ones.
"""

import re
from functools import lru_cache

ENGLISH = "en"

_SCRIPTS = (
    ("ja", re.compile("[\u3041-\u3096\u30a1-\u30fa]")),
    ("ko", re.compile("[\uac00-\ud7a3]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("ru", re.compile("[\u0430-\u044f\u0451]{2}", re.IGNORECASE)),
)
_WORD = re.compile(r"\b[^\W\d_]+\b(?:'(?=\w))?")
_CURLY = "\u2019"
_LETTERS = {"de": "äöüß", "fr": "çèêàùœ", "es": "ñ¿¡", "pt": "ãõç", "it": "òìè"}
_LETTER = 0.6
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|\S*[/\\_]\S*|\S+\.\w+\b", re.DOTALL)
_READ = 600
_WORDS = {
    "en": """
        i in me my like think let fix any other about back still also the a an and or but not is
        are was were be been it its this that these those to of for with on at by from as into
        you your we our they them their i'm don't can't won't should would could will can have
        has had do does did if then than when what why how which who there here please no just
        only never always use instead let's yes you're it's that's add show run new all every
        now files file test tests two check make sure one more what's using same first before
        after see need want""",
    "de": """
        der die das den dem des ein eine einen einem einer und oder aber nicht kein keine keinen
        ist sind war waren wird werden wurde hat habe haben hast hatte kann kannst soll sollen
        sollte muss musst müssen darf ich du wir ihr uns unser unsere dein deine mir mich dir
        auf aus bei mit nach von vor zu zum zur im ins für über unter auch noch schon nur immer
        nie mal bitte doch warum wieso wie wenn dann weil dass statt hier dort jetzt nein ja
        passt gut danke mach lass nimm gehört gehören so besser was wo wer diese dieser dieses
        alle etwas nichts sondern ab am es er sie welche welcher welches zwei drei alles mehr
        sehr neue neuer neuen welchen beim vom raus rein lieber dazu damit davon gerade finger""",
    "fr": """
        le la les un une des du de et ou mais ne pas plus jamais est sont était être sera a ont
        avait avons avez ai as je tu il elle on nous vous ils mon ton son notre votre nos vos
        mes ce cet cette ces ça que qui quoi dans sur sous avec sans pour par au aux en y donc
        car si utilise mets fais utilisez mettez garde touche oublie laisse bien comme aussi
        encore toujours déjà peut peux faut doit où quand pourquoi merci non oui c' j' l' d' n'
        qu' s' t' m' tout tous toute toutes rien quel quelle quels quelles
        fait font peu très nouveau nouvelle deux trois avant après chaque ici voir veux doivent
        leur aucune aucun jusqu seulement""",
    "es": """
        el la los las un una unos unas del de al y o pero no ni es son era está están estaba fue
        ser hay que qué en con sin por para se lo le les me te nos mi tu su sus nuestro este
        esta esto ese esa eso esos yo tú él nosotros ya muy más también siempre nunca como cómo
        cuando porque si sí dónde hacer pon ponlo usamos hazlo aquí así bien mejor falta queda
        puedes has he ha han vez antes después solo cada toda segundo crea vuelve nada todo
        todos todas nuevo nueva ahora mismo misma hace hizo quedó hasta entonces quien ningún
        ninguna dos gracias vale va van directo desde sobre donde estoy tras según""",
    "pt": """
        o a os as um uma uns umas do da dos das no na nos nas ao à pelo pela de e ou mas não é
        são era está estão foi ser há que em com sem por para pra se lhe me te meu minha seu sua
        nosso este esta isto esse essa isso você vc eu ele nós gente já muito mais também sempre
        nunca como quando porque sim onde pode tem têm usa coloca põe usamos assim bem melhor
        falta fica obrigado vez antes depois só cada aqui tá qual quais quantos quantas nada
        todo toda todos todas novo nova agora mesmo mesma pergunte faz fez ficou até então quem
        nenhum nenhuma dois duas valeu ótimo vai vão direto dele dela nessa nesse às aos""",
    "it": """
        il lo la gli le un uno una del dello della dei degli delle di al allo alla ai agli alle
        nel nella nei nelle sul sulla e o ma non è sono era sei ho hai ha abbiamo hanno che chi
        in con senza per da dal dalla se si mi ti ci vi mio tuo suo nostro questo questa quello
        quella io tu noi già molto più anche sempre mai come quando perché sì dove puoi deve va
        vanno fare usa usiamo metti mettilo così bene meglio invece prima dopo solo ogni qui c'
        l' dell' nell' all' quale quali quante quanti niente adesso ora fammi vedere
        aggiungi voglio tutta tutte tutti tutto cosa stessa stesso volta volte nuova nuovo qual
        fai fatto messo devono vuole può due tra poi ancora però quel quei nessun nessuna serve
        grazie""",
}
SMALL_WORDS = {code: frozenset(words.split()) for code, words in _WORDS.items()}
"""The small words of each language that is written in Latin letters."""
_LEAST, _SHARE = 0.5, 0.1


def _weights() -> dict[str, dict[str, float]]:
    """Return what each small word says: 1 for one language, less where several have it."""
    found: dict[str, dict[str, float]] = {}
    for word in frozenset.union(*SMALL_WORDS.values()):
        having = [code for code, words in SMALL_WORDS.items() if word in words]
        found[word] = dict.fromkeys(having, 1 / len(having))
    return found


_WEIGHTS = _weights()


@lru_cache(maxsize=512)  # the parts of one prompt are asked about again and again
def language(text: str) -> str:
    """Return the code of the language of `text`; English where nothing says otherwise."""
    head = text[:_READ]
    plain = head.isascii()
    if not plain:
        for code, script in _SCRIPTS:
            if script.search(head):
                return code
    found_words = _WORD.findall(_CODE.sub(" ", head.replace(_CURLY, "'")))
    # Acronyms are nobody's small words.
    words = [word.lower() for word in found_words if len(word) == 1 or not word.isupper()]
    counts = dict.fromkeys(SMALL_WORDS, 0.0)
    for word in words:
        for code, weight in _WEIGHTS.get(word, {}).items():
            counts[code] += weight
    for code, letters in () if plain else _LETTERS.items():
        counts[code] += _LETTER * any(letter in head for letter in letters)
    best = max(counts, key=lambda code: (counts[code], code == ENGLISH))
    return best if counts[best] >= max(_LEAST, _SHARE * len(words)) else ENGLISH
