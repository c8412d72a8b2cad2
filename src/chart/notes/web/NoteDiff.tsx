import { diffWordsWithSpace } from 'diff'
import { useMemo } from 'react'
import { formatDay } from '../../../ui/format.ts'
import { answerText, type NoteSection } from '../rules.ts'

interface NoteState {
  title: string
  occurredOn: string
  sections: readonly NoteSection[]
}

interface NoteDiffProps {
  /** What is compared, for screen readers. */
  label: string
  before: NoteState
  after: NoteState
}

/** The differences between two states of a note, word by word: what was removed and what was added. */
export function NoteDiff({ label, before, after }: NoteDiffProps) {
  const changes = useMemo(() => changedParts(before, after), [before, after])
  if (changes.length === 0) return <p className="text-sm text-fg-2">No differences.</p>
  return (
    <dl aria-label={label} className="flex flex-col gap-4">
      {changes.map(({ key, title, from, to }) => (
        <div key={key} className="min-w-0">
          <dt className="pb-1 text-xs font-medium text-fg-3">{title}</dt>
          <dd className="text-sm wrap-anywhere whitespace-pre-wrap text-fg">
            <Words from={from} to={to} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Words({ from, to }: { from: string; to: string }) {
  const parts = useMemo(() => diffWordsWithSpace(from, to), [from, to])
  return parts.map(({ value, added, removed }, index) => {
    if (added)
      return (
        // oxlint-disable-next-line no-array-index-key -- the parts never reorder
        <ins key={index} className="rounded-xs bg-success-soft text-success-fg decoration-1 underline-offset-2">
          {value}
        </ins>
      )
    if (removed)
      return (
        // oxlint-disable-next-line no-array-index-key -- the parts never reorder
        <del key={index} className="rounded-xs bg-danger-soft text-danger-fg">
          {value}
        </del>
      )
    return value
  })
}

const textsOf = ({ title, occurredOn, sections }: NoteState) => [
  { key: 'title', title: 'Title', text: title },
  { key: 'date', title: 'Date', text: formatDay(occurredOn) },
  ...sections.map((section) => ({ key: `section ${section.id}`, title: section.title, text: answerText(section) })),
]

/** The parts that differ, in their order. */
function changedParts(before: NoteState, after: NoteState) {
  const earlier = new Map(textsOf(before).map(({ key, text }) => [key, text]))
  return textsOf(after)
    .map(({ key, title, text }) => ({ key, title, from: earlier.get(key) ?? '', to: text }))
    .filter(({ from, to }) => from !== to)
}
