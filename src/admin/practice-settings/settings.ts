import { createHash } from 'node:crypto'
import { publish } from '../../kernel/events/events.ts'
import { settingsEvent } from '../../platform/practice/service.ts'
import type { Scope } from '../../kernel/scope.ts'
import { difference } from '../../kernel/audit/rules.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { moveWithClock } from '../../crm/tasks/service.ts'
import type { ChangedSettings, PracticeSettings } from './contract.ts'
import { practiceSettings } from '../../platform/practice/table.ts'

type Row = typeof practiceSettings.$inferSelect

const blank = {
  name: null,
  subtitle: null,
  address: null,
  phone: null,
  hours: null,
  hstNumber: null,
  timeZone: null,
  brandHue: null,
  companyDomains: null,
  mailFrom: null,
  mailReplyTo: null,
  logo: null,
  logoHash: null,
}

async function stored(db: Scope['db'] | Parameters<Parameters<Scope['db']['transaction']>[0]>[0]): Promise<Omit<Row, 'id' | 'updatedAt'>> {
  const [row] = await db.select().from(practiceSettings)
  const { id: _, updatedAt: __, ...values } = row ?? { ...blank, id: true, updatedAt: null }
  return values
}

export async function getSettings({ db, practice }: Scope) {
  const { logo: _, logoHash, ...set } = await stored(db)
  const started = practice.started
  const otherwise: PracticeSettings = {
    name: started.PRACTICE_NAME,
    subtitle: started.PRACTICE_SUBTITLE,
    address: started.PRACTICE_ADDRESS,
    phone: started.PRACTICE_PHONE,
    hours: started.PRACTICE_HOURS,
    hstNumber: started.PRACTICE_HST_NUMBER,
    timeZone: started.PRACTICE_TIME_ZONE,
    brandHue: started.BRAND_HUE ?? null,
    companyDomains: started.COMPANY_DOMAINS,
    mailFrom: started.MAIL_FROM,
    mailReplyTo: started.MAIL_REPLY_TO,
  }
  return { set, otherwise, logo: logoHash }
}

/** Changes what is given. Another time zone takes the tasks that are open along: a day and a time on the practice's clock stay what they were. */
export async function changeSettings(scope: Scope, given: ChangedSettings) {
  await write(scope, given)
  return getSettings(scope)
}

/** Sets the logo, a PNG; null takes it away. */
export async function setLogo(scope: Scope, png: Uint8Array | null) {
  const hash = png && createHash('sha256').update(png).digest('hex').slice(0, 32)
  await write(scope, { logo: png && Buffer.from(png).toString('base64'), logoHash: hash })
  return getSettings(scope)
}

async function write(scope: Scope, given: Partial<Omit<Row, 'id' | 'updatedAt'>> | ChangedSettings): Promise<void> {
  const wanted = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<Row>
  const isChanged = await scope.db.transaction(async (tx) => {
    await tx.insert(practiceSettings).values({ updatedAt: scope.now() }).onConflictDoNothing()
    const [held] = await tx.select().from(practiceSettings).for('update')
    const { id: _, updatedAt: __, ...before } = held!
    const changes = difference(before, { ...before, ...wanted })
    if (Object.keys(changes.after).length === 0) return false
    await tx.update(practiceSettings).set({ ...wanted, updatedAt: scope.now() })
    // The picture itself is no matter of the audit log: its hash says which it was.
    const { logo: _was, ...was } = changes.before
    const { logo: _is, ...is } = changes.after
    await recordChange(tx, scope, { action: 'changed', kind: 'practice settings', contactIds: [], before: was, after: is })
    if ('timeZone' in changes.after) {
      const [zoneBefore, zone] = [before.timeZone, wanted.timeZone].map((one) => one ?? scope.practice.started.PRACTICE_TIME_ZONE)
      if (zone !== zoneBefore) await moveWithClock(tx, zone!)
    }
    await publish(tx, 'practice', settingsEvent)
    return true
  })
  if (isChanged) await scope.practice.read()
}
