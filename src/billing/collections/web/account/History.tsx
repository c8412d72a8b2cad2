import { useState } from 'react'
import type { Person } from '../../../../platform/auth/people-contract.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { type Clock, formatDateTime, formatDay, formatMoney } from '../../../../ui/format.ts'
import type { AccountData } from '../account-data.ts'
import { entryLabels } from '../account-labels.ts'
import { Line, Section } from './Section.tsx'

interface MadeBy {
  people: readonly Person[]
  clock: Clock
}

const whenAndWho = ({ createdAt, createdBy }: { createdAt: string; createdBy: string | null }, { people, clock }: MadeBy) => {
  const who = people.find(({ id }) => id === createdBy)?.fullName
  return `${formatDateTime(createdAt, clock)}${who ? ` by ${who}` : ''}`
}

/** Shown before the rest is asked for. */
const few = 8

/** All that was ever written into the ledger, newest first. */
export function History({ entries, charges, ...made }: Pick<AccountData, 'entries' | 'charges'> & MadeBy) {
  const [showsAll, setShowsAll] = useState(false)
  const chargeOf = (id: string | null) => charges.find((charge) => charge.id === id)?.description
  return (
    <Section title="History">
      <ul aria-label="History">
        {(showsAll ? entries : entries.slice(0, few)).map((entry) => (
          <li key={entry.id}>
            <Line
              title={`${entryLabels[entry.kind]}: ${entry.description}`}
              facts={
                <>
                  {entry.chargeId && <>Of {chargeOf(entry.chargeId)} · </>}
                  {whenAndWho(entry, made)}
                </>
              }
              amount={formatMoney(entry.amountCents)}
            />
          </li>
        ))}
      </ul>
      {entries.length > few && (
        <Button size="sm" variant="quiet" className="-ml-2.5" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show fewer' : `Show all ${entries.length}`}
        </Button>
      )}
    </Section>
  )
}

type Note = AccountData['notes'][number]

function describeNote({ kind, amountCents, dueOn }: Note): string {
  if (kind === 'reminder') return `Reminder of ${formatMoney(amountCents ?? 0)} sent`
  if (kind === 'hold') return 'Surgery on hold'
  if (kind === 'release') return 'Surgery may go ahead'
  return `Promised ${formatMoney(amountCents ?? 0)}${dueOn ? ` by ${formatDay(dueOn)}` : ''}`
}

/** Promises, holds and reminders, newest first. */
export function Notes({ notes, ...made }: { notes: readonly Note[] } & MadeBy) {
  return (
    <Section title="Notes">
      <ul aria-label="Notes">
        {notes.map((note) => (
          <li key={note.id}>
            <Line
              title={describeNote(note)}
              facts={
                <>
                  {note.note && <span className="block text-sm whitespace-pre-wrap text-fg-2">{note.note}</span>}
                  {whenAndWho(note, made)}
                </>
              }
            />
          </li>
        ))}
      </ul>
    </Section>
  )
}
