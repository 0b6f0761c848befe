/**
 * Further verbs that begin instructions, besides REQUEST_VERBS. They only determine the type of a sentence in data;
 * words that are usually nouns at the beginning of a line are omitted.
 */
export const ORDER_VERBS = `
    abort accept access accompany achieve acquire activate adapt adjust administer admit adopt advertise agree
    alert align allocate allow alter amend amplify animate annotate announce append appoint approve archive argue
    articulate ascertain assemble assert assess assign assure attach attack attempt attend attribute audit
    authorize automate ban bargain beat beg begin bid bind blacklist blame blend bless block blur bombard boost
    borrow bother brief bring broadcast browse bump bypass cache capture cast catalog catalogue categorise cater
    cease celebrate censor certify chop circulate cite claim clarify clean clear climb clone coach collect comb
    combat commence commit communicate compensate compete compliment comply compress compromise conceal conceive
    concentrate conclude concoct conduct confront congratulate connect conquer consolidate consult contribute
    convey convince cooperate coordinate corrupt craft crash crawl critique cultivate curate customise customize
    deactivate decide declare decline decorate decrease decrypt dedicate deduce deduct defeat defend delay
    delegate deliver demote deny depict derive deselect destroy detach detect deter devise diagnose dial dictate
    digest dim direct disable disarm discard disclose disconnect discover disguise dismiss dispatch disregard
    distribute dive divert divide dock donate downgrade drag drain dump duplicate earn educate eject elaborate
    elect elevate elicit eliminate embed emphasise emphasize empty emulate enable encourage encrypt endorse
    energise enforce engage enhance enjoy enlarge enlist enrich enroll enter entertain entitle enumerate equip
    erase erect escalate escape escort establish evade evict evoke exaggerate examine exchange exclude excuse
    exempt exfiltrate exhibit expedite experiment exploit explore export expose express extinguish fabricate
    facilitate fake familiarise fasten fax feed fetch finalise finalize finance flag flatter flip flush fold
    forecast forget forgive forgo foster freeze frighten fulfil furnish gather glorify govern grab grant grasp
    greet grind grow guarantee guard guess halt hand handle hang harvest hide highlight hijack hint hire hit hoard
    hold hop hug hunt hurry hush ignite ignore illuminate impersonate implicate import impose impress incorporate
    increase indent indicate induce inflate influence infringe inhale inherit initialise initialize initiate
    inject inquire inscribe insist inspect inspire instigate instruct insult insure integrate intercept interpret
    interrogate interrupt introduce invade invert invest invite invoke involve isolate iterate jog join jot juggle
    jump justify kick kill knit knock lace launch launder lay leak leave lecture lend lengthen leverage lick lift
    liquidate localise locate loosen lure manage manipulate map march mark maximise maximize meditate meet melt
    memorise memorize mend message migrate mimic minimise minimize misinform mix mock modify monitor mop motivate
    mourn mow multiply mute narrate navigate negotiate neutralise nickname nominate normalise normalize notarise
    nudge nurture obey obscure observe obtain occupy offer offload offset omit onboard oppose opt optimise
    orchestrate organise orient originate outfit outsource overwrite pardon park participate pass paste pause pave
    peel penalise perform permit persist personalise persuade pin ping plagiarise plead pledge plug poach polish
    ponder populate pose postpone pour practise praise pray preach preheat prescribe present preserve press
    pressure prevent prioritise prioritize probe proceed procure produce prohibit prolong promote pronounce
    proofread propagate propose protect provoke prune publicise pull pump punish purchase purge push quantify
    quarantine query question queue quit raise rally randomise rationalise reach react readjust realign rearrange
    reassure rebook reboot rebuild rebut recap receive recharge recite reclaim recognise recolor reconcile
    reconfigure reconsider reconstruct record recover recruit rectify recycle redact redeem redesign redirect redo
    reduce refer refill refine reflect reform reformat refrain refresh refund refuse refute regain register
    regulate rehearse reimburse reinforce reinstall reject relate relax relay release relinquish relocate remake
    remediate remit render renew renounce reopen reorder reorganise repaint repay replicate repost reprint
    reproduce republish require reschedule rescue resell resend reset resign resist resize resolve restart restore
    restrict restructure resubmit resume retain retell retire retrace retract retrain retrieve retry retweet reuse
    reveal revoke rewind rework rig rinse rip roast rob roll rotate rub ruin sabotage sanitise satisfy scan
    scatter scold scrape scratch scream screen scrub seal seduce seek seize sell separate sequence serve settle
    sew shake shoot shout shove shred shrink shuffle shut sign simplify skim skip slice slide slow smear smuggle
    snap sneak snooze soak sober solicit soothe spam span spawn speak speculate spend spin spit spoof spot spray
    spread spy squeeze stare stay steal steer stick stir strengthen stretch strike strip subtract succeed sue
    summon supervise supplement suppress surf surrender suspend sustain swap sway swear sweep swim switch sync
    synchronise synthesise tabulate tackle tag tailor take talk tally tap target taste tease temper tempt
    terminate thaw theorise threaten throw thwart tick tidy tie tighten toggle tolerate toss tow trace transcribe
    transmit transport treat trigger trim triple troubleshoot try tuck tune tunnel tweak tweet twist unblock unbox
    undelete underline undermine undertake undo unfollow unfreeze unify uninstall unite unlink unlock unmask
    unmute unpack unpin unplug unravel unseal unsend unsubscribe unveil unwrap unzip upgrade uphold uplift upset
    urge utilise utter vacuum vanish vent verbalise veto violate visualise visualize vouch vow waive wake wander
    warn wash weaken wear weave weed weigh whisper whitelist widen win wipe wire withdraw withhold witness worship
    wrap wreck yell yield zip zoom
`
  .split(/\s+/)
  .filter((word) => word !== '');
