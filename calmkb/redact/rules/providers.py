"""Secrets by their shape: prefixes that providers put there so that filters can find them.

A shape needs its prefix; hashes, UUIDs and ids of other kinds have none, so none is taken for one.
"""

from functools import partial

from calmkb.redact.rules import conditions
from calmkb.redact.rules.rule import Rule, rule

shape = partial(rule, shape=True)

SHAPE_RULES: tuple[Rule, ...] = (
    shape("jwt", r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?", "eyj"),
    shape("github", r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})",
         "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_"),
    shape("gitlab", r"\bgl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas|ffct)-[\w.-]{16,}", "gl"),
    shape("aws", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b", "akia asia abia acca"),
    shape("anthropic-openai", r"\bsk-(?:[a-z]{1,12}\d{0,3}-){0,4}[\w-]{20,}",
          "sk-", when=conditions.mixed),
    shape("slack", r"\bxox[abeoprs]-(?=(?:[A-Za-z_-]{0,60}\d){2})[\w-]{10,}|\bxapp-\d-[\w-]{10,}|"
         r"\bhooks\.slack\.com/(?:services|workflows|triggers)/[\w/-]{20,}",
         "xox xapp- hooks.slack.com"),
    shape("discord", r"\bdiscord(?:app)?\.com/api/webhooks/\d{10,}/[\w-]{30,}", "discord"),
    shape("stripe", r"\b(?:(?:sk|rk|pk)_(?:live|test)_|whsec_)[A-Za-z0-9+/=_-]{16,}",
         "sk_ rk_ pk_ whsec_"),
    shape("google", r"\bAIza[\w-]{35}|\bGOCSPX-[\w-]{20,}|\bya29\.[\w-]{20,}|\b1//0[\w-]{30,}",
         "aiza gocspx- ya29. 1//0"),
    shape("package-index", r"\bpypi-[\w-]{30,}|\bnpm_[A-Za-z0-9]{30,}|\brubygems_[0-9a-f]{40,}|"
         r"\bcio[A-Za-z0-9]{32}\b|\boy2[a-z0-9]{43}\b", "pypi- npm_ rubygems_ cio oy2"),
    shape("sendgrid", r"\bSG\.[\w-]{16,}\.[\w-]{16,}", "sg."),
    shape("hugging-face", r"\b(?:hf|api_org)_[A-Za-z]\w{29,}",
          "hf_ api_org_", when=conditions.mixed),
    shape("mailgun", r"\bkey-[0-9a-f]{32}\b", "key-"),
    shape("mailchimp", r"\b[0-9a-f]{32}-us\d{1,2}\b", "-us"),
    shape("digitalocean", r"\bdo[opr]_v1_[0-9a-f]{40,}", "_v1_"),
    shape("docker-hub", r"\bdckr_[po]at_[\w-]{20,}", "dckr_"),
    shape("telegram", r"\b\d{8,10}:AA[\w-]{32,34}(?![\w-])", ":aa"),
    shape("square", r"\b(?:EAAA[\w-]{40,}|sq0[a-z]{3}-[\w-]{20,})", "eaaa sq0"),
    shape("notion", r"\b(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}\b)", "ntn_ secret_"),
    shape("terraform", r"\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{50,}", ".atlasv1."),
    shape("azure", r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,36}", "q~"),
    shape("new-relic", r"\bNR(?:AK|II|JS|RA)-[A-Za-z0-9]{20,}", "nrak- nrii- nrjs- nrra-"),
    shape("sentry", r"\bsntr(?:ys|yu)_[\w=+/.-]{40,}", "sntry"),
    shape("grafana", r"\bgl(?:sa|c)_[\w+/=-]{30,}", "glsa_ glc_"),
    shape("supabase", r"\bsbp_[0-9a-f]{40}|\bsb_secret_[\w-]{20,}", "sbp_ sb_secret_"),
    shape("doppler", r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,}",
          "dp."),
    shape("airtable", r"\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}", "pat"),
    shape("age", r"\bAGE-SECRET-KEY-1[A-Z0-9]{50,}", "age-secret-key-"),
    shape("linear", r"\blin_(?:api|oauth)_[A-Za-z0-9]{32,}", "lin_"),
    shape("vault", r"\bhv[sbr]\.[\w-]{20,}", "hvs. hvb. hvr."),
    shape("planetscale", r"\bpscale_(?:tkn|pw|oauth)_[\w=.-]{30,}", "pscale_"),
    shape("figma", r"\bfig[dor]_[\w-]{36,}", "fig"),
    shape("contentful", r"\bCFPAT-[\w-]{40,}", "cfpat-"),
    shape("fly", r"\bfo1_[\w-]{40,}|\bfm\d[ar]?_[\w=+/-]{40,}", "fo1_ fm1_ fm2_ fm1a_ fm1r_"),
    shape("groq-xai", r"\b(?:gsk|xai|r8|tvly|pplx|fw|nvapi|lsv2_(?:pt|sk))[_-][A-Za-z0-9_-]{32,}",
         "gsk_ xai- r8_ tvly- pplx- fw_ nvapi- lsv2_"),
    shape("tailscale", r"\btskey-[a-z]{2,12}-[\w-]{16,}", "tskey-"),
    shape("onepassword", r"\bops_eyJ[\w+/=-]{60,}|\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,6}-?){4,6}",
         "ops_eyj a3-"),
    shape("atlassian", r"\bATATT3[\w=-]{60,}|\bATBB[A-Za-z0-9]{28,}", "atatt3 atbb"),
    shape("zero-config", r"\b(?:rnd|re|dtn|phc|phx|sgp|shippo_live|EZAK|EZTK|vercel|nfp|bkua|ddp)_"
         r"(?=[A-Za-z0-9_]{0,40}\d)(?=[A-Za-z0-9_]{0,40}[A-Z])[A-Za-z0-9]{30,}",
         "rnd_ re_ dtn_ phc_ phx_ sgp_ shippo_ ezak_ eztk_ vercel_ nfp_ bkua_ ddp_"),
    shape("teams",
          r"\b(?:outlook\.office(?:365)?\.com|[\w-]{1,64}\.webhook\.office\.com)/webhook(?:b2)?/"
          r"[\w@-]{20,200}/IncomingWebhook/[\w/-]{20,}", "office.com office365.com"),
    shape("salesforce", r"\b00D[A-Za-z0-9]{12,15}![\w.]{60,}", "00d"),
    shape("azure-devops", r"(?<![A-Za-z0-9])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])",
          "azdo"),
    shape("azure-devops", r"(?<![A-Za-z0-9])[a-z2-7]{52}(?![A-Za-z0-9])",
          "azure devops visualstudio", when=conditions.mixed),
    shape("alibaba", r"\bLTAI[A-Za-z0-9]{12,26}(?![A-Za-z0-9])", "ltai", when=conditions.mixed),
    shape("sourcegraph-license", r"\bslk_[0-9a-f]{64}", "slk_"),
    shape("octopus-deploy", r"\bodt_[A-Za-z0-9]{20,}", "odt_", when=conditions.mixed),
    shape("new-relic", r"\b[a-z0-9]{6}[a-f0-9]{30}NRAL\b", "nral"),
    shape("thingsboard", r"(?<=thingsboard\.cloud/api/v1/)[a-z0-9]{20}\b", "thingsboard.cloud"),
    shape("dropbox", r"\bsl\.(?:u\.)?[\w-]{120,}", "sl."),
    shape("twitch", r"\blive_\d{6,12}_[A-Za-z0-9]{20,}", "live_"),
    shape("duffel", r"\bduffel_(?:live|test)_[\w=-]{30,}", "duffel_"),
    shape("jenkins", r"(?<=\{)AQAAABAAAA[A-Za-z0-9+/]{20,}={0,2}(?=\})", "aqaaabaaaa"),
)  # fmt: skip
