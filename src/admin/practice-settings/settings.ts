import { createHash } from 'node:crypto'
import { publish } from '../../kernel/events/events.ts'
import { settingsEvent } from '../../platform/practice/service.ts'
import type { Scope } from '../../kernel/scope.ts'
import { difference } from '../../kernel/audit/rules.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { moveToTimeZone } from '../../crm/tasks/service.ts'
import type { ChangedSettings, PracticeSettings } from './contract.ts'
import { practiceSettings } from '../../platform/practice/table.ts'

type Row = typeof practiceSettings.$inferSelect

const blank = {
  name: null,
  subtitle: null,
  subtitleFr: null,
  address: null,
  phone: null,
  hours: null,
  hoursFr: null,
  hstNumber: null,
  timeZone: null,
  brandHue: null,
  companyDomains: null,
  mailFrom: null,
  mailReplyTo: null,
  photoWatermark: null,
  textQuietFrom: null,
  textQuietTo: null,
  textsPerPatient: null,
  textsPerDay: null,
  textSegmentPrice: null,
  logo: null,
  logoHash: null,
}

async function readSettings(
  db: Scope['db'] | Parameters<Parameters<Scope['db']['transaction']>[0]>[0],
): Promise<Omit<Row, 'id' | 'updatedAt'>> {
  const [row] = await db.select().from(practiceSettings)
  const { id: _, updatedAt: __, ...values } = row ?? { ...blank, id: true, updatedAt: null }
  return values
}

export async function getSettings({ db, practice }: Scope) {
  const { logo: _, logoHash, ...set } = await readSettings(db)
  const defaults = practice.started
  const otherwise: PracticeSettings = {
    name: defaults.PRACTICE_NAME,
    subtitle: defaults.PRACTICE_SUBTITLE,
    subtitleFr: defaults.PRACTICE_SUBTITLE_FR,
    address: defaults.PRACTICE_ADDRESS,
    phone: defaults.PRACTICE_PHONE,
    hours: defaults.PRACTICE_HOURS,
    hoursFr: defaults.PRACTICE_HOURS_FR,
    hstNumber: defaults.PRACTICE_HST_NUMBER,
    timeZone: defaults.PRACTICE_TIME_ZONE,
    brandHue: defaults.BRAND_HUE ?? null,
    companyDomains: defaults.COMPANY_DOMAINS,
    mailFrom: defaults.MAIL_FROM,
    mailReplyTo: defaults.MAIL_REPLY_TO,
    photoWatermark: defaults.PHOTO_WATERMARK,
    textQuietFrom: defaults.TEXT_QUIET_FROM,
    textQuietTo: defaults.TEXT_QUIET_TO,
    textsPerPatient: defaults.TEXTS_PER_PATIENT,
    textsPerDay: defaults.TEXTS_PER_DAY,
    textSegmentPrice: defaults.TEXT_SEGMENT_PRICE,
  }
  return { set, otherwise, logo: logoHash }
}

/** Changes the given fields. A new time zone also moves open tasks, so that they stay due at the same local day and time. */
export async function changeSettings(scope: Scope, input: ChangedSettings) {
  await write(scope, input)
  return getSettings(scope)
}

/** Sets the logo, a PNG; null removes it. */
export async function setLogo(scope: Scope, png: Uint8Array | null) {
  const hash = png && createHash('sha256').update(png).digest('hex').slice(0, 32)
  await write(scope, { logo: png && Buffer.from(png).toString('base64'), logoHash: hash })
  return getSettings(scope)
}

async function write(scope: Scope, input: Partial<Omit<Row, 'id' | 'updatedAt'>> | ChangedSettings): Promise<void> {
  const wanted = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Partial<Row>
  const isChanged = await scope.db.transaction(async (tx) => {
    await tx.insert(practiceSettings).values({ updatedAt: scope.now() }).onConflictDoNothing()
    const [locked] = await tx.select().from(practiceSettings).for('update')
    const { id: _, updatedAt: __, ...before } = locked!
    const changes = difference(before, { ...before, ...wanted })
    if (Object.keys(changes.after).length === 0) return false
    await tx.update(practiceSettings).set({ ...wanted, updatedAt: scope.now() })
    // The audit log stores the hash of the logo, not the image.
    const { logo: _was, ...was } = changes.before
    const { logo: _is, ...is } = changes.after
    await recordChange(tx, scope, { action: 'changed', kind: 'practice settings', contactIds: [], before: was, after: is })
    if ('timeZone' in changes.after) {
      const [zoneBefore, zone] = [before.timeZone, wanted.timeZone].map((zoneName) => zoneName ?? scope.practice.started.PRACTICE_TIME_ZONE)
      if (zone !== zoneBefore) await moveToTimeZone(tx, zone!)
    }
    await publish(tx, 'practice', settingsEvent)
    return true
  })
  if (isChanged) await scope.practice.read()
}
