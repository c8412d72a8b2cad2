import { Link } from '@tanstack/react-router'
import { Avatar } from '../../../../web/ui/Avatar.tsx'
import { cn } from '../../../../web/ui/cn.ts'
import { type Clock, formatTime } from '../../../../web/ui/format.ts'
import { StageRing } from '../../../../web/ui/StageRing.tsx'
import { shapeOf } from '../../../pipeline/web/embed/stage-shape.ts'
import { followUp, procedureName } from '../contact-text.ts'
import { type ContactRow, fullName } from '../embed/contact-data.ts'
import { byId, type Directory } from '../embed/directory.ts'

interface ContactCardsProps {
  rows: readonly ContactRow[]
  directory: Directory
  clock: Clock
  onOpen: (id: string) => void
}

/** The list on a phone: name, stage and procedure, and when to follow up. */
export function ContactCards({ rows, directory, clock, onOpen }: ContactCardsProps) {
  return (
    <ul aria-label="Patients">
      {rows.map((contact) => {
        const stage = byId(directory.stages, contact.funnelStageId)
        const due = followUp(contact.nextFollowUpDate, clock)
        const line = [stage?.name, procedureName(contact, directory)].filter(Boolean).join(' · ')
        return (
          <li key={contact.id} data-row={contact.id}>
            <Link
              to="/contacts/$id"
              params={{ id: contact.id }}
              id={`patient-${contact.id}`}
              onClick={() => onOpen(contact.id)}
              className="flex h-17 items-center gap-3 border-b border-line px-4 md:px-6 outline-offset-[-2px] active:bg-hover"
            >
              <Avatar kind="patient" size="lg" firstName={contact.firstName} lastName={contact.lastName} className="text-sm" />
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
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
