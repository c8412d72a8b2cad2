import { type InformationKind, information, maySee } from '../../kernel/access/information.ts'
import type { Role } from '../../kernel/access/rules.ts'
import { type EntryKind, type Section, sectionKinds } from './rules.ts'

type Person = { role: Role } | null

/** The kind of information that an entry is. */
const informationOf = (kind: EntryKind): InformationKind => (kind === 'allergy' || kind === 'alert' ? 'alerts' : 'healthSummary')

export const seesEntry = (actor: Person, { kind }: { kind: EntryKind }): boolean => maySee(actor, informationOf(kind))
export const mayWriteEntry = (actor: Person, kind: EntryKind): boolean =>
  actor !== null && (information[informationOf(kind)].write as readonly Role[]).includes(actor.role)

/** A section is as its entries, which are all of one kind of information. */
export const seesSection = (actor: Person, section: Section): boolean => seesEntry(actor, { kind: sectionKinds[section][0] })
export const mayReviewSection = (actor: Person, section: Section): boolean => mayWriteEntry(actor, sectionKinds[section][0])
