import { items, lines, type Slots } from './expand.ts';

/** What programs, their manuals and their files say: dense in "ignore", "system", "prompt", "password", "all", "not" and "only". */
export const TECHNICAL_BENIGN: Readonly<Record<string, readonly string[]>> = {
  reference: lines(`
    {techsentence} {techsentence}
    {techsentence} {techsentence} {techsentence} {techsentence}
    {techsentence}
    {optline}\\n{optline}\\n{optline}
    {optline}
    {heading}\\n\\n{techsentence} {techsentence}\\n\\n{techsentence}\\n\\n{optline}\\n{optline}\\n
    {heading}\\n{optline}\\n{techsentence}\\n{optline}\\n{techsentence}\\n{optline}
    {heading}\\n\\n- {optline}\\n- {techsentence}\\n- {techsentence}\\n\\n{heading}\\n\\n{techsentence} {techsentence} {techsentence}
    | {tnoun} | {tnoun} |\\n|---|---|\\n| {tident} | {techsentence} |\\n| {tident} | {techsentence} |\\n| {tident} | {techsentence} |
    {message1}
    {message1}\\n{message1}
    {message1} {techsentence}
    # {techsentence}\\n{tident} = {tvalue}\\n# {techsentence}\\n{tident} = {tvalue}
    /** {techsentence} {techsentence} */\\n[export|public|static|async|private] [function|void|int|def|const] {tident}({tident}, {tident}) {
    {tident}.{tident}({tident}) // {techsentence}\\n{tident}.{tident}({tvalue})
    \\$ {tool} {tverb} {tident} --{tident}={tvalue} --{tident} {tvalue}
    {tool} {tverb} - {tverb} [all|the|a|an existing] {tnoun}
    {shline}\\n{shline}\\n{shline}
    {shline}\\n{shline}\\n{shline}\\n{shline}\\n{shline}\\n{shline}
    [#!/bin/sh|#!/usr/bin/env bash|set -e]\\n{shline}\\n# {techsentence}\\n{shline}\\n{shline}
    {stepline}\\n{stepline}\\n{stepline}\\n{stepline}
    {techsentence} \\$ {tool} {tverb} {tident} --{tident}={tvalue}
  `),
};

export const TECHNICAL_SLOTS: Slots = {
  techsentence: lines(`
    [If|When|Unless|Once|In case|Whenever] [the|a|this|no|any] {tnoun} [is|was|has been] [not specified|given|set|missing|empty|in use|locked|too long|of the wrong type|read-only], [the|every|a] {tnoun} [is|will be] {tdone}.
    [If|When] [not specified|omitted|absent|empty|true|set to "{tvalue}"], [the {tnoun} of the {tnoun} is used|you might be prompted to select a {tnoun} (interactive mode only)|all {tnoun}s are {tdone}|nothing is {tdone}|the default applies].
    [The|This|Each|Every|A] {tnoun} [{tverb}s|can {tverb}|must not {tverb}|does not {tverb}|may {tverb}|only {tverb}s|will always {tverb}] [the|all|any|every|its own|the previous|a new|only the first] {tnoun}[s|] [of|in|for|from|to] the {tnoun}.
    [To|In order to] {tverb} [a|the|all] {tnoun}[s|], [use|run|call|pass|set|see|specify] [the|] {tident} [command|option|flag|method|property|variable|field].
    [Use|See|Run|Call|Specify|Set|Pass|Check|Choose|Select|Enter|Type|Provide] [the|a|your|this|another] {tnoun} [to|before you|if you want to|in order to] {tverb} [the|all|every|a new] {tnoun}.
    {tident} [is|was|has been] [deprecated|removed|renamed|ignored|replaced by {tident}|required|optional|reserved|overridden by {tident}|not allowed here].
    [Only|All|Some|Most|No|Any|These|Those] {tnoun}s [are|can be|must be|should not be|will be|need not be] {tdone} [by|in|on|with|without|before|after] [the|a|an] {tnoun}.
    [Note that|Be aware that|Keep in mind that|By default,|As a result,|In this mode,|Otherwise,|Currently,|Normally,] [the|a|this] {tnoun} [is not {tdone}|{tverb}s the {tnoun}|has no effect|ignores the {tnoun}|is {tdone} first|overrides the {tnoun}|does nothing].
    [You|Users|Administrators|Callers|Clients|Programs] [can|may|must|should|need not|cannot|are free to|are not allowed to] {tverb} [the|this|a|any] {tnoun} [without a {tnoun}|at any time|more than once|as root|until the {tnoun} is {tdone}].
    [Returns|Prints|Shows|Reads|Writes|Deletes|Lists|Displays|Ignores|Overrides|Replaces|Resets|Hides|Reveals|Encodes|Decodes|Restricts|Sends|Executes] [the|all|every|a list of|only the|the name of the|the first|the previous] {tnoun}[s|] [of|in|for|from] [the|this|a] {tnoun}[, one per line|, if any|, including hidden ones|; not for end users|].
    [This|The following|The next] [command|example|section|rule|function|program|table] [shows|describes|explains|lists|creates|disables|tells you] how [to {tverb} a {tnoun}|a {tnoun} is {tdone}|the {tnoun} works].
    This [is free software|program is free|work is licensed]: you [are free to|may] [change|use|copy|redistribute] it. There is NO WARRANTY, to the extent permitted by law.
    The {tnoun} [must|should|may|can] [start|begin|end] with [a {tnoun}|a letter|a dash|the word "{tvalue}"|a slash] and [must not|may not|cannot|should] [contain|include|use] [spaces|colons|other characters|words such as "{tvalue}"|numbers only].
    [Do not|Never|Don't] {tverb} [the|a|any|this] {tnoun} [unless you know what you are doing|by hand|in production|without a backup|before the {tnoun} is {tdone}|twice].
    [Warning|Note|Caution|Error|Important|Hint|Deprecated]: [this|the|that] {tnoun} [will be|is|was|must be|cannot be] {tdone}[. Use {tident} instead|, since the {tnoun} is gone|. See the {tnoun} for details|].
    [The|A] {tnoun} [that|which|who] [owns|has|holds|starts|needs|answers] the {tnoun} [acts as|is called|becomes|plays the role of|is treated as] the {tnoun}.
    [It|He|They|One|We] [asks|tells|instructs|orders|prompts|allows|forces|forbids] the {tnoun} [to {tverb}|not to {tverb}] [all|the|any] {tnoun}s [in the {tnoun}|again|at once|].
    [The same|Another|The first|The last|Any other|Exactly one] {tnoun} [counts|wins|applies|is shown|gets {tdone}|is meant], [and|so|but] the {tnoun} [stays|is {tdone}|must match|is left alone].
    [A combination of|The letters|The words|The values|The bytes] {tident}, {tident} and {tident} [control|tell|say|decide|mean] which {tnoun} [is|gets] {tdone}.
  `),
  shline: lines(`
    echo ["{tvalue}"|step|step [1|2|3]|done|{tident}|"{tverb} {tnoun}"]
    [print|printf|echo|cat|rm -rf|cp|mv|mkdir -p|cd|export|source|touch|sleep|exit|sudo|chmod 600] {tident}
    {tool} {tverb} {tident} [--{tident}|-[a|f|v|q]|]
    [if|while|for|until] {tident} [in|; do|; then] {tident}
    {tident}=[{tvalue}|$(cat {tident})|"$1"]
    [step|print|echo|test|line|word|item|run|next|first|all|end] [step|{tident}|one|[1|2|3]|{tvalue}]
  `),
  stepline: lines(`
    [ok|not ok|PASS|FAIL|INFO|WARN|DEBUG|step|line] [-|:|1|2|3|] [{tverb} {tnoun}|{tident}|{message1}]
    [1|2|3|4]. {tverb} [the|all|a] {tnoun}
  `),
  optline: lines(`
    -[a|b|d|f|h|i|n|p|q|r|s|u|v|x], --{tident} [{tnoun}|{tverb} the {tnoun}|{tverb} all {tnoun}s|do not {tverb} the {tnoun}|never prompt|print lots of {tnoun}|only {tverb} the {tnoun}|set the {tnoun} to {tvalue}|prompt before every {tnoun}]
    --{tident}=[FILE|NAME|PATTERN|MODE|N|USER|TYPE|REGION|LIST] [{tverb} {tnoun}s [of|in|for] the {tnoun}|use {tnoun} instead of the default|limit the {tnoun} to this|{tnoun} to {tverb}|Region of the {tnoun} to {tverb}|default: {tvalue}]
    \`{tident}\`: {techsentence}
    - **{tident}** ([string|boolean|number|array|required|optional]) [-|:] {techsentence}
    {tident}: {tvalue} # {techsentence}
    {tident}({tident}) - {techsentence}
    * {tverb} {tnoun}s [when|if|unless] the {tnoun} is {tdone} (#[12|431|7|2085])
    [1.|2.|a)|*|-] {techsentence}
    {tident} {tident} {tident}
  `),
  heading: lines(`
    [#|##|###|====] [Options|Usage|Installation|Configuration|Security|Examples|Notes|Overview|API|License|Changelog|FAQ|Limits|System requirements|Roles|Prompts|Rules|Known issues|How it works|Getting started|Environment|Exit status|Files]
    [NAME|SYNOPSIS|DESCRIPTION|OPTIONS|EXIT STATUS|FILES|SEE ALSO|NOTES|BUGS]
    Chapter [1|2|5|9]. [The {tnoun}|How to {tverb} a {tnoun}|{tnoun} and {tnoun}]
  `),
  message1: lines(`
    [{tool}|error|warning|fatal|note|info]: [cannot|could not|failed to|refusing to|unable to|not allowed to|will not] {tverb} [the|a|this|%s] {tnoun}[: permission denied|: no such file|, ignored|; skipping|: unknown {tnoun} "{tvalue}"|]
    [unknown|invalid|missing|duplicate|unexpected|conflicting|unsupported|illegal] {tnoun} [%s|"{tvalue}"|in line 12|], [expected a {tnoun}|ignoring|possible values are {tident}, {tident}|using the previous one|it must be {tdone}]
    [New|Old|Current|Repeat|Enter|Retype|Choose a new|Forgot your] [password|passphrase|PIN|key|user name][:|?|for %s:| again:| (empty for none):]
    [Do you want to|Are you sure you want to|Really] {tverb} [the|all|this|these] {tnoun}[s|]? [y/N|This cannot be undone.|All data will be lost.|]
    .{tident} [not allowed inside|without a preceding|directive not followed by|encountered without] .{tident} [region|directive|section|instruction]
    [instruction|directive|rule|command|message|token|prompt|role|filter] %s [may not follow|is the same as|has no|does not match|requires|was overridden by] another {tnoun} [instruction|]
    [Skipped|Removed|Replaced|Ignored|Updated|Restarted|Sent|Cleared|Loaded|Hid] [%d|12|all|no|the old] {tnoun}s [from|in|to|of] {tident}
    [Press|Type|Hit] [any key|control-d|enter|q|ESC] to [continue|proceed with normal startup|abort|skip this {tnoun}|show the {tnoun}], [or|then] [give root password for system maintenance|enter the {tnoun}|wait]
    [An application|The system|{tool}|Someone|The administrator] wants to [change the password for|unlock|access|{tverb}] [the|your] {tnoun}. [Enter the old password|Choose the new password you want to use|Allow this only once|Ask your administrator].
    [This|That|Your] {tnoun} [has expired|is too short|was found in a dictionary|is already in use|is hidden|will be deleted|does not exist|needs a restart]. [Please choose another|Contact your system administrator|Try again|Log in to {tverb} it].
  `),
  tnoun: items(
    `file, directory, option, command, user, password, key, message, system, prompt, instruction, rule, policy, role, session, token, process, terminal, string, value, variable, function, argument, parameter, module, package, service, server, client, request, response, header, record, table, index, column, row, query, database, connection, socket, port, address, page, line, character, word, pattern, filter, mask, mode, flag, setting, default, configuration, profile, group, permission, access right, limit, restriction, timeout, event, signal, handler, thread, lock, queue, cache, buffer, stream, output, input, log, warning, error, backup, snapshot, image, container, volume, region, zone, cluster, node, job, task, migration, deployment, release, branch, commit, tag, merge conflict, patch, hook, plugin, template, theme, widget, button, window, menu, dialog, theme file, icon, font, encoding, locale, translation, language, license, certificate, secret, credential, identity, account, administrator, owner, agent, assistant, model, dataset, context, conversation, history, state, scope, context manager, annotation, decorator, interface, class, method, object, instance, type, schema, document, section, field, attribute, property, element, node type, tree, path, link, URL, host, domain, proxy, router, firewall, interface card, device, driver, kernel, memory, disk, partition, mount point, shell, script, pipeline, build, target, dependency, library, binary, source, header file, test, assertion, mock, fixture, report, metric, alert, dashboard, notification, subscription, invoice, order, customer`,
  ),
  tverb: items(
    `read, write, print, show, list, delete, remove, create, update, replace, ignore, override, skip, reset, restore, revoke, disable, enable, send, forward, execute, run, call, start, stop, restart, lock, unlock, hide, reveal, display, encode, decode, encrypt, translate, convert, copy, move, rename, merge, split, parse, format, validate, check, verify, filter, restrict, limit, allow, deny, reject, accept, request, return, repeat, retry, cancel, abort, clear, erase, forget, load, save, store, export, import, install, upgrade, configure, set, get, change, assign, bind, attach, detach, describe, resolve, compile, link, debug, trace, log, report, search, match, sort, compare, simulate, emulate, authenticate, authorize, grant, impersonate, bypass, inject, escape, quote, wrap, extract, dump, mount, import, prompt for, act on`,
  ),
  tdone: items(
    `ignored, deleted, overridden, replaced, printed, shown, hidden, read, written, sent, used, created, updated, skipped, restarted, locked, rejected, refused, accepted, executed, called, translated, encoded, displayed, discarded, disabled, revoked, restricted, loaded, reset, cleared, forgotten, removed, allowed, not allowed, required, stored, copied, set to the default, left unchanged, treated as text, limited, erased, repeated`,
  ),
  tident: items(
    `ignore_all, system_prompt, override, get-iam-policy, password, default, user_role, debug, all, instructions, base64, hex, force, interactive, no-prompt, skip-checks, echo-all, admin, secret_key, ROOT_DIR, mode, rules, print_type, previous, context, policy_file, reset, config, reveal, allow_list, deny, role, assistant, messages, max_tokens, filter, exclude, include, encoding, output, input, verbose, quiet, recursive, unlock, proxy_user, access_token, region, zone, name, id, type, version, ignore-case, translate, escape, exec, run, send, forward, list, delete, update, bypass_cache, is_admin, hidden, isAllowed, onError, callback, options, opts, args, self, this, ctx, req, res, next, data, value, key, path, url, host, port, timeout, retries, limit, offset, schema, table, column, index, query, user, group, session`,
  ),
  tvalue: items(
    `true, false, null, none, all, "never", "always", ignore, strict, root, admin, default, system, 0, 1, 42, my-policy, policy.json, us-central1, utf-8, base64, hidden, manual, prompt, replace, "assistant", debug, secret, ~/.config, /etc/passwd, 30s, auto`,
  ),
  tool: items(
    `gcloud, git, kubectl, docker, npm, apt, systemctl, ssh, psql, openssl, curl, tar, make, gpg, aws, terraform, pip, cargo, go, dpkg, useradd, passwd, mount, rsync, vim, ollama, redis-cli, python3, node`,
  ),
};
