/** What a statement of a migration does to a running clinic, read from its text (docs/decisions/upgrades.md). Pure. */

/** What the previous release, which runs during an upgrade and after a way back, does not survive, or what blocks its users. */
export const migrationRules = {
  'required-column': 'adds a column that the previous release does not fill: give it a default, or allow null',
  removal: 'removes or renames something that the previous release uses: do it one release after the last use',
  rewrite: 'rewrites the table while no one can read it: add a column, fill it in a job, and remove the old one later',
  scan: 'reads the whole table while others wait: add the constraint NOT VALID, and validate it one release later',
  index:
    'builds an index while no one can write: write IF NOT EXISTS and a new name, so that it can be created CONCURRENTLY before the upgrade',
  backfill: 'changes rows of an existing table in the transaction of the upgrade: do it in a job',
} as const
export type MigrationRule = keyof typeof migrationRules

/** In ascending order of what they block: `share` blocks writes, `access exclusive` reads too. */
export type MigrationLock = 'row exclusive' | 'share update exclusive' | 'share row exclusive' | 'share' | 'access exclusive'
/** What the statement's time depends on. `instant` depends on nothing. */
export type MigrationWork = 'instant' | 'scan' | 'rewrite' | 'btree' | 'gin' | 'rows'

export type MigrationStatement = {
  /** As written, without comments. */
  text: string
  /** The table that it locks; null if it locks none that exists, or names an index only. */
  table: string | null
  /** The index that it names. */
  index: string | null
  lock: MigrationLock | null
  work: MigrationWork
  rule: MigrationRule | null
  /** Can be created before the upgrade, by this statement. */
  ahead: string | null
}

/** A migration's statements, and where it breaks a rule without giving a reason ("-- exception: <rule>: <reason>" above the statement). */
export function readMigration(file: string): { statements: MigrationStatement[]; problems: string[] } {
  const created = new Set<string>()
  const dropped = new Set<string>()
  const statements: MigrationStatement[] = []
  const problems: string[] = []
  for (const part of file.split('--> statement-breakpoint')) {
    const exceptions = [...part.matchAll(/^--\s*exception:\s*([\w-]+)\s*:?\s*(.*)$/gm)].map(([, rule = '', reason = '']) => ({
      rule,
      reason,
    }))
    const text = withoutComments(part)
    if (text === '') continue
    const statement = describe(text, dropped)
    const isNew = statement.table !== null && created.has(statement.table)
    const createdTable = /^create table (?:if not exists )?(\S+)/i.exec(text)?.[1]
    if (createdTable) created.add(nameOf(createdTable))
    if (/^drop index/i.test(text) && statement.index) dropped.add(statement.index)
    statements.push(isNew ? { ...statement, table: null, lock: null, work: 'instant', rule: null, ahead: null } : statement)

    const broken = isNew ? null : statement.rule
    const short = text.replaceAll(/\s+/g, ' ').slice(0, 100)
    if (broken && !exceptions.some(({ rule }) => rule === broken)) problems.push(`${broken}: ${short}\n  It ${migrationRules[broken]}.`)
    for (const { rule, reason } of exceptions) {
      if (rule !== broken) problems.push(`"exception: ${rule}" above a statement that does not need it: ${short}`)
      else if (reason.length < 15) problems.push(`"exception: ${rule}" gives no reason: ${short}`)
    }
  }
  return { statements, problems }
}

const name = String.raw`(?:"?public"?\.)?"?(\w+)"?`
const nameOf = (written: string): string => new RegExp(`^${name}`).exec(written)?.[1] ?? written

function describe(text: string, dropped: ReadonlySet<string>): MigrationStatement {
  const found = (pattern: string) => new RegExp(`^${pattern}`, 'i').exec(text)?.slice(1) ?? null
  const result = (part: Partial<MigrationStatement>): MigrationStatement => ({
    text,
    table: null,
    index: null,
    lock: null,
    work: 'instant',
    rule: null,
    ahead: null,
    ...part,
  })

  const index = found(String.raw`create (?:unique )?index (concurrently )?(if not exists )?${name} on (?:only )?${name}(?: using (\w+))?`)
  if (index) {
    const [concurrently, optional, indexName = '', table = '', method = 'btree'] = index
    const canBeAhead = optional !== undefined && !dropped.has(indexName)
    return result({
      table,
      index: indexName,
      lock: concurrently ? 'share update exclusive' : 'share',
      work: /^(btree|hash|brin)$/i.test(method) ? 'btree' : 'gin',
      rule: canBeAhead || concurrently ? null : 'index',
      ahead: canBeAhead ? text.replace(/^create (unique )?index/i, 'CREATE $1INDEX CONCURRENTLY') : null,
    })
  }

  const altered = found(String.raw`alter table (?:if exists )?(?:only )?${name} ([^]*)$`)
  if (altered) {
    const [table = '', actions = ''] = altered
    const effects = topLevelParts(actions).map(describeAction)
    const strongest = (list: readonly MigrationLock[]) => lockOrder.findLast((lock) => list.includes(lock)) ?? null
    return result({
      table,
      lock: strongest(effects.map(({ lock }) => lock)),
      work: effects.find(({ work }) => work === 'rewrite')?.work ?? effects.find(({ work }) => work !== 'instant')?.work ?? 'instant',
      rule: effects.find(({ rule }) => rule)?.rule ?? null,
    })
  }

  const [droppedIndex] = found(`drop index (?:concurrently )?(?:if exists )?${name}`) ?? []
  if (droppedIndex) return result({ index: droppedIndex, lock: 'access exclusive' })
  const [droppedTable] = found(`drop table (?:if exists )?${name}`) ?? []
  if (droppedTable) return result({ table: droppedTable, lock: 'access exclusive', rule: 'removal' })
  const [triggerTable] = found(String.raw`create (?:or replace )?(?:constraint )?trigger [^]*? on ${name}`) ?? []
  if (triggerTable) return result({ table: triggerTable, lock: 'share row exclusive' })
  const [renamedTriggerTable] = found(String.raw`(?:alter|drop) trigger (?:if exists )?\S+ on ${name}`) ?? []
  if (renamedTriggerTable) return result({ table: renamedTriggerTable, lock: 'access exclusive' })
  const [changed] = found(`(?:update|delete from|truncate(?: table)?) (?:only )?${name}`) ?? []
  if (changed)
    return result({ table: changed, lock: /^truncate/i.test(text) ? 'access exclusive' : 'row exclusive', work: 'rows', rule: 'backfill' })
  if (found(String.raw`(?:drop (?:function|view|type|sequence|schema)|alter (?:function|view|type|sequence) [^]* rename)\b()`))
    return result({ rule: 'removal' })
  return result({})
}

const lockOrder: readonly MigrationLock[] = ['row exclusive', 'share update exclusive', 'share row exclusive', 'share', 'access exclusive']

type Effect = Pick<MigrationStatement, 'work' | 'rule'> & { lock: MigrationLock }

/** One action of ALTER TABLE. What is not recognised takes the strongest lock. */
function describeAction(action: string): Effect {
  const effect = (rule: MigrationRule | null, work: MigrationWork = 'instant', lock: MigrationLock = 'access exclusive'): Effect => ({
    lock,
    work,
    rule,
  })
  const is = (pattern: RegExp) => pattern.test(action)
  if (is(/^add (?:constraint \S+ )?(?:check|foreign key|unique|primary key|exclude)\b/i) || is(/^add constraint/i)) {
    if (is(/using index/i)) return effect(null)
    const isForeign = is(/foreign key/i)
    const lock = isForeign ? 'share row exclusive' : 'access exclusive'
    if (is(/\bnot valid$/i)) return effect(null, 'instant', lock)
    if (is(/\b(?:unique|primary key)\b/i) && !is(/\bcheck\b/i)) return effect('scan', 'btree')
    return is(/\bexclude\b/i) ? effect('scan', 'gin') : effect('scan', 'scan', lock)
  }
  if (is(/^validate constraint/i)) return effect(null, 'scan', 'share update exclusive')
  if (is(/^add\b/i)) {
    const fallback = /\bdefault\s+([^]*)$/i.exec(action)?.[1] ?? ''
    const isFilled = is(/\bgenerated\b[^]*\bstored\b/i) || is(/\bgenerated\b[^]*\bas identity\b/i) || is(/\b(?:small|big)?serial\b/i)
    if (isFilled || isVolatile(fallback)) return effect('rewrite', 'rewrite')
    return effect(is(/\bnot null\b/i) && fallback === '' && !is(/\bgenerated\b/i) ? 'required-column' : null)
  }
  if (is(/^alter (?:column )?\S+ (?:set data )?type\b/i)) return effect('rewrite', 'rewrite')
  if (is(/^alter (?:column )?\S+ set not null/i)) return effect('scan', 'scan')
  if (is(/^set (?:logged|unlogged|tablespace|access method)\b/i)) return effect('rewrite', 'rewrite')
  if (is(/^(?:drop (?!constraint\b)|rename (?!constraint\b))/i)) return effect('removal')
  return effect(null)
}

/** Whether PostgreSQL computes this default for each row: a call of anything but the functions that are the same for a whole statement. */
const isVolatile = (expression: string): boolean =>
  [...expression.replaceAll(/'(?:[^']|'')*'/g, '').matchAll(/(\w+)\s*\(/g)].some(
    ([, called = '']) =>
      !/^(now|statement_timestamp|transaction_timestamp|numeric|varchar|char|timestamp|timestamptz|array)$/i.test(called),
  )

/** Parts of a list at its commas outside parentheses and quotes. */
function topLevelParts(list: string): string[] {
  const parts = ['']
  let depth = 0
  for (const [piece] of list.matchAll(/'(?:[^']|'')*'|"[^"]*"|[^]/g)) {
    if (piece === '(') depth++
    if (piece === ')') depth--
    if (piece === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += piece
  }
  return parts.map((part) => part.trim()).filter(Boolean)
}

/** Removes comments outside of quotes, the last semicolon, and repeated white space at both ends. */
function withoutComments(sql: string): string {
  const pieces = sql.matchAll(/(\$\w*\$)[^]*?\1|'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[^]*?\*\/|[^]/g)
  return [...pieces]
    .map(([piece]) => (/^(?:--|\/\*)/.test(piece) ? '' : piece))
    .join('')
    .trim()
    .replace(/;$/, '')
}
