"""Secrets by their shape: prefixes that providers put there so that filters can find them.

A shape needs its prefix; hashes, UUIDs and ids of other kinds have none, so none is taken for one.
"""

from calmkb.redact.rules import Rule, rule

SHAPE_RULES: tuple[Rule, ...] = (
    rule("jwt", r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?", "eyj"),
    rule("github", r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})",
         "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_"),
    rule("gitlab", r"\bgl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas|ffct)-[\w.-]{16,}", "gl"),
    rule("aws", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b", "akia asia abia acca"),
    rule("anthropic-openai", r"\bsk-(?:[a-z]{1,12}\d{0,3}-){0,4}[\w-]{20,}", "sk-"),
    rule("slack", r"\bxox[abeoprs]-[\w-]{10,}|\bxapp-\d-[\w-]{10,}|"
         r"\bhooks\.slack\.com/(?:services|workflows|triggers)/[\w/-]{20,}",
         "xox xapp- hooks.slack.com"),
    rule("discord", r"\bdiscord(?:app)?\.com/api/webhooks/\d{10,}/[\w-]{30,}", "discord"),
    rule("stripe", r"\b(?:(?:sk|rk|pk)_(?:live|test)_|whsec_)[A-Za-z0-9+/=]{16,}",
         "sk_ rk_ pk_ whsec_"),
    rule("google", r"\bAIza[\w-]{35}|\bGOCSPX-[\w-]{20,}|\bya29\.[\w-]{20,}|\b1//0[\w-]{30,}",
         "aiza gocspx- ya29. 1//0"),
    rule("package-index", r"\bpypi-[\w-]{30,}|\bnpm_[A-Za-z0-9]{30,}|\brubygems_[0-9a-f]{40,}|"
         r"\bcio[A-Za-z0-9]{32}\b|\boy2[a-z0-9]{43}\b", "pypi- npm_ rubygems_ cio oy2"),
    rule("sendgrid", r"\bSG\.[\w-]{16,}\.[\w-]{16,}", "sg."),
    rule("hugging-face", r"\b(?:hf|api_org)_[A-Za-z]\w{29,}", "hf_ api_org_"),
    rule("mailgun", r"\bkey-[0-9a-f]{32}\b", "key-"),
    rule("mailchimp", r"\b[0-9a-f]{32}-us\d{1,2}\b", "-us"),
    rule("digitalocean", r"\bdo[opr]_v1_[0-9a-f]{40,}", "_v1_"),
    rule("docker-hub", r"\bdckr_[po]at_[\w-]{20,}", "dckr_"),
    rule("telegram", r"\b\d{8,10}:AA[\w-]{32,34}(?![\w-])", ":aa"),
    rule("square", r"\b(?:EAAA[\w-]{40,}|sq0[a-z]{3}-[\w-]{20,})", "eaaa sq0"),
    rule("notion", r"\b(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}\b)", "ntn_ secret_"),
    rule("terraform", r"\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{50,}", ".atlasv1."),
    rule("azure", r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,36}", "q~"),
    rule("new-relic", r"\bNR(?:AK|II|JS|RA)-[A-Za-z0-9]{20,}", "nrak- nrii- nrjs- nrra-"),
    rule("sentry", r"\bsntr(?:ys|yu)_[\w=+/.-]{40,}", "sntry"),
    rule("grafana", r"\bgl(?:sa|c)_[\w+/=-]{30,}", "glsa_ glc_"),
    rule("supabase", r"\bsbp_[0-9a-f]{40}|\bsb_secret_[\w-]{20,}", "sbp_ sb_secret_"),
    rule("doppler", r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,}", "dp."),
    rule("airtable", r"\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}", "pat"),
    rule("age", r"\bAGE-SECRET-KEY-1[A-Z0-9]{50,}", "age-secret-key-"),
    rule("linear", r"\blin_(?:api|oauth)_[A-Za-z0-9]{32,}", "lin_"),
    rule("pulumi", r"\bpul-[0-9a-f]{40}", "pul-"),
    rule("postman", r"\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}", "pmak-"),
    rule("shopify", r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}", "shp"),
    rule("vault", r"\bhv[sbr]\.[\w-]{20,}", "hvs. hvb. hvr."),
    rule("databricks", r"\bdapi[0-9a-f]{32}(?:-\d)?\b", "dapi"),
    rule("planetscale", r"\bpscale_(?:tkn|pw|oauth)_[\w=.-]{30,}", "pscale_"),
    rule("figma", r"\bfig[dor]_[\w-]{36,}", "fig"),
    rule("contentful", r"\bCFPAT-[\w-]{40,}", "cfpat-"),
    rule("fly", r"\bfo1_[\w-]{40,}|\bFlyV1 fm\d_[\w=+/-]{40,}", "fo1_ flyv1"),
    rule("groq-xai", r"\b(?:gsk|xai|r8|tvly|pplx|fw|nvapi|lsv2_(?:pt|sk))[_-][A-Za-z0-9_-]{32,}",
         "gsk_ xai- r8_ tvly- pplx- fw_ nvapi- lsv2_"),
    rule("tailscale", r"\btskey-[a-z]{2,12}-[\w-]{16,}", "tskey-"),
    rule("onepassword", r"\bops_eyJ[\w+/=-]{60,}|\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,6}-?){4,6}",
         "ops_eyj a3-"),
    rule("atlassian", r"\bATATT3[\w=-]{60,}|\bATBB[A-Za-z0-9]{28,}", "atatt3 atbb"),
    rule("zero-config", r"\b(?:rnd|re|dtn|phc|phx|sgp|shippo_live|EZAK|EZTK|vercel|nfp|bkua|ddp)_"
         r"(?=[A-Za-z0-9_]{0,40}\d)(?=[A-Za-z0-9_]{0,40}[A-Z])[A-Za-z0-9]{30,}",
         "rnd_ re_ dtn_ phc_ phx_ sgp_ shippo_ ezak_ eztk_ vercel_ nfp_ bkua_ ddp_"),
)  # fmt: skip
