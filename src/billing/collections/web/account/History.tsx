import { useState } from 'react'
import type { Person } from '../../../../platform/auth/people-contract.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { type Clock, formatDateTime, formatDay, formatMoney } from '../../../../ui/format.ts'
import type { AccountData } from '../account-data.ts'
import { entryLabels } from '../account-labels.ts'
import { Line, Section } from './Section.tsx'

interface AuthorProps {
  people: readonly Person[]
  clock: Clock
}

const whenAndWho = ({ createdAt, createdBy }: { createdAt: string; createdBy: string | null }, { people, clock }: AuthorProps) => {
  const who = people.find(({ id }) => id === createdBy)?.fullName
  return `${formatDateTime(createdAt, clock)}${who ? ` by ${who}` : ''}`
}

/** Entries shown before "Show all". */
const initialCount = 8

/** All ledger entries, newest first. */
export function History({ entries, charges, ...author }: Pick<AccountData, 'entries' | 'charges'> & AuthorProps) {
  const [showsAll, setShowsAll] = useState(false)
  const chargeOf = (id: string | null) => charges.find((charge) => charge.id === id)?.description
  return (
    <Section title="History">
      <ul aria-label="History">
        {(showsAll ? entries : entries.slice(0, initialCount)).map((entry) => (
          <li key={entry.id}>
            <Line
              title={`${entryLabels[entry.kind]}: ${entry.description}`}
              facts={
                <>
                  {entry.chargeId && <>For {chargeOf(entry.chargeId)} · </>}
                  {whenAndWho(entry, author)}
                </>
              }
              amount={formatMoney(entry.amountCents)}
            />
          </li>
        ))}
      </ul>
      {entries.length > initialCount && (
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
  if (kind === 'release') return 'Hold released'
  return `Promised ${formatMoney(amountCents ?? 0)}${dueOn ? ` by ${formatDay(dueOn)}` : ''}`
}

/** Promises, holds and reminders, newest first. */
export function Notes({ notes, ...author }: { notes: readonly Note[] } & AuthorProps) {
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
                  {whenAndWho(note, author)}
                </>
              }
            />
          </li>
        ))}
      </ul>
    </Section>
  )
}
