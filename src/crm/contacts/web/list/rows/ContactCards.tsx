import { useNavigate } from '@tanstack/react-router'
import { memo, type MouseEvent } from 'react'
import { useClock } from '../../../../../ui/client/session.ts'
import { Avatar } from '../../../../../ui/display/Avatar.tsx'
import { Checkbox } from '../../../../../ui/controls/Checkbox.tsx'
import { cn } from '../../../../../ui/cn.ts'
import { type Clock, formatTime } from '../../../../../ui/format.ts'
import { Skeleton } from '../../../../../ui/display/Skeleton.tsx'
import { StageRing } from '../../../../../ui/display/stages/StageRing.tsx'
import { shapeOf } from '../../../../pipeline/web/embed/stage-shape.ts'
import { followUp, procedureName } from '../../embed/contact-text.ts'
import { type ContactRow, fullName } from '../../embed/contact-data.ts'
import { byId, type Directory } from '../../embed/directory.ts'
import { isSelected } from '../bulk/selection.ts'
import { matchedOther } from '../../matched-other.ts'
import { PageFailed } from './PageFailed.tsx'
import type { RowsToDraw } from './visible-rows.ts'
import { useFocusFallback } from './useFocusFallback.ts'

/** The list on a phone: name, stage, procedure and next follow-up. In selection mode, a tap selects. */
export function ContactCards({ drawn, list, contacts, term, directory, isSelecting }: RowsToDraw & { isSelecting: boolean }) {
  const clock = useClock()
  const { selection, toggle } = list.bulk
  return (
    <ul aria-label="Patients" className="relative contain-strict" style={{ height: list.rows.height }}>
      {drawn.map(({ key, index, top, contact, failed }) => (
        <li
          key={key}
          data-row={contact?.id}
          aria-setsize={list.count}
          aria-posinset={index + 1}
          className="absolute inset-x-0 flex h-17 items-center border-b border-line contain-layout"
          style={{ top }}
        >
          {contact ? (
            <Card
              contact={contact}
              foundBy={matchedOther(contact, term)}
              directory={directory}
              clock={clock}
              picked={isSelecting ? isSelected(selection, contact.id) : null}
              onToggle={toggle}
              onOpen={list.onOpen}
            />
          ) : failed ? (
            <PageFailed retrying={contacts.isRetrying} onRetry={contacts.retry} />
          ) : (
            <span className="flex flex-1 items-center gap-3 px-4 md:px-6">
              <Skeleton className="size-10 rounded-full bg-active" />
              <Skeleton className="w-2/5 bg-active" />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

interface CardProps {
  contact: ContactRow
  foundBy: string | null
  directory: Directory
  clock: Clock
  /** Whether it is selected; null while a tap opens it. */
  picked: boolean | null
  onToggle: (id: string, range: boolean) => void
  onOpen: (id: string) => void
}

const Card = memo(function Card({ contact, foundBy, directory, clock, picked, onToggle, onOpen }: CardProps) {
  const navigate = useNavigate()
  const keepFocus = useFocusFallback()
  const stage = byId(directory.stages, contact.funnelStageId)
  const due = followUp(contact.nextFollowUpDate, clock)
  const line = [foundBy, stage?.name, procedureName(contact, directory)].filter(Boolean).join(' · ')

  function open(event: MouseEvent<HTMLElement>) {
    onOpen(contact.id)
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void navigate({ to: '/contacts/$id', params: { id: contact.id } })
  }

  const content = (
    <>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-title leading-4.5 font-semibold text-fg">{fullName(contact)}</span>
        <span className="flex items-center gap-1.5 text-sm text-fg-2">
          {stage && <StageRing {...shapeOf(directory.stages, stage)} />}
          <span className="truncate">{line}</span>
        </span>
      </span>
      {due && contact.nextFollowUpDate !== null && (
        <span
          className={cn(
            'flex-none text-sm tabular-nums',
            due.when === 'overdue' ? 'text-danger-fg' : due.when === 'today' ? 'font-medium text-fg' : 'text-fg-3',
          )}
        >
          <span className="sr-only">Next follow-up {due.when === 'later' ? '' : due.when} </span>
          {due.when === 'today' ? formatTime(contact.nextFollowUpDate, clock.timeZone) : due.text}
        </span>
      )}
    </>
  )

  if (picked !== null) {
    return (
      <label className={cn('flex size-full items-center gap-3 px-4 md:px-6', picked ? 'bg-selected' : 'active:bg-hover')}>
        <span className="flex size-10 flex-none items-center justify-center">
          <Checkbox
            ref={keepFocus}
            id={`patient-${contact.id}`}
            aria-label={`Select ${fullName(contact)}`}
            checked={picked}
            onCheckedChange={(_, withShift) => onToggle(contact.id, withShift)}
          />
        </span>
        {content}
      </label>
    )
  }
  return (
    <a
      ref={keepFocus}
      href={`/contacts/${contact.id}`}
      id={`patient-${contact.id}`}
      onClick={open}
      className="flex size-full items-center gap-3 px-4 md:px-6 outline-offset-[-2px] active:bg-hover"
    >
      <Avatar kind="patient" size="lg" firstName={contact.firstName} lastName={contact.lastName} className="text-sm" />
      {content}
    </a>
  )
})
