import { Archive, ArchiveRestore, ArrowLeft, CheckCheck, ChevronDown, Clock3, Ellipsis, MailWarning, UserRound } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { byId, type Directory } from '../../../../crm/contacts/web/embed/directory.ts'
import type { Person } from '../../../../platform/auth/people-contract.ts'
import { languageNames, toLanguage } from '../../../../shared/translations.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { useSession } from '../../../../ui/client/session.ts'
import { Avatar } from '../../../../ui/display/Avatar.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '../../../../ui/overlays/DropdownMenu.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { type Clock, formatDue, formatPhone } from '../../../../ui/format.ts'
import { type ConversationData, whoOf } from '../inbox-data.ts'
import { MomentMenu } from '../moments/MomentMenu.tsx'

interface ThreadHeadProps {
  conversation: ConversationData
  directory: Directory
  clock: Clock
  onBack: (() => void) | undefined
  onArchive: () => void
  /** Null: ends the snooze. */
  onSnooze: (until: string | null) => void
  onMarkUnread: (() => void) | undefined
  onMarkRead: () => void
  onAssign: (to: string | null) => void
  /** Where the panel does not fit next to the conversation. */
  onPerson: (() => void) | undefined
}

/** Who writes, assignee and actions. */
export function ThreadHead({
  conversation,
  directory,
  clock,
  onBack,
  onArchive,
  onSnooze,
  onMarkUnread,
  onMarkRead,
  onAssign,
  onPerson,
}: ThreadHeadProps) {
  const isArchived = conversation.status === 'archived'
  const { snoozedUntil } = conversation
  return (
    <header className="flex flex-none flex-wrap items-center gap-x-2 gap-y-1 border-b border-line py-2 pr-2 pl-4 max-md:pl-1 md:min-h-16 md:pr-4">
      {onBack && <IconButton label="Back to the list" icon={<ArrowLeft />} size="lg" onClick={onBack} />}
      <div className="min-w-0 flex-1 basis-40">
        <h2 className="flex items-center gap-2 text-md font-semibold text-fg">
          <span className="truncate">{whoOf(conversation)}</span>
          {isArchived && <Badge>Archived</Badge>}
          {snoozedUntil && <Badge tone="info">Snoozed until {formatDue(snoozedUntil, clock)}</Badge>}
        </h2>
        {conversation.contact ? (
          <PatientLine contactId={conversation.contact.id} directory={directory} />
        ) : (
          <p className="truncate text-xs text-fg-3">
            {conversation.name === null
              ? 'Not linked to a patient'
              : conversation.channel === 'sms'
                ? formatPhone(conversation.address)
                : conversation.address}
          </p>
        )}
      </div>
      <div className="flex flex-none items-center gap-1">
        <Assignee assignedTo={conversation.assignedTo} people={directory.people} onAssign={onAssign} />
        {!isArchived && (
          <MomentMenu title="Snooze until" action="Snooze" trigger={<IconButton label="Snooze" icon={<Clock3 />} />} onChoose={onSnooze}>
            {snoozedUntil && <MenuItem onSelect={() => onSnooze(null)}>End the snooze</MenuItem>}
          </MomentMenu>
        )}
        <IconButton
          label={isArchived ? 'Restore' : 'Archive'}
          keys="e"
          icon={isArchived ? <ArchiveRestore /> : <Archive />}
          onClick={onArchive}
        />
        {onPerson && <IconButton label="Sender" icon={<UserRound />} onClick={onPerson} />}
        <DropdownMenu trigger={<IconButton label="More actions" icon={<Ellipsis />} />}>
          {onMarkUnread && (
            <MenuItem icon={<MailWarning />} keys="u" onSelect={onMarkUnread}>
              Mark as unread
            </MenuItem>
          )}
          <MenuItem icon={<CheckCheck />} onSelect={onMarkRead}>
            Mark all as read
          </MenuItem>
        </DropdownMenu>
      </div>
    </header>
  )
}

/** Stage, procedure of interest and language, as far as they are known. */
function PatientLine({ contactId, directory }: { contactId: string; directory: Directory }) {
  const { data } = useQuery(orpc.contacts.get.queryOptions({ input: { id: contactId } }))
  const language = toLanguage(data?.preferredLanguage)
  const facts = data && [
    byId(directory.stages, data.funnelStageId)?.name,
    byId(directory.procedures, data.procedureId)?.name,
    language && languageNames[language],
  ]
  return <p className="h-4.5 truncate text-xs text-fg-3">{facts?.filter(Boolean).join(' · ')}</p>
}

function Assignee({
  assignedTo,
  people,
  onAssign,
}: { assignedTo: string | null; people: readonly Person[] } & Pick<ThreadHeadProps, 'onAssign'>) {
  const { user } = useSession()
  const person = people.find(({ id }) => id === assignedTo)
  const name = assignedTo === null ? 'Unassigned' : assignedTo === user?.id ? 'Me' : (person?.fullName ?? 'Former staff')
  const others = people.filter(({ id, role }) => id !== user?.id && (role === 'admin' || role === 'sales_rep'))
  return (
    <DropdownMenu
      className="max-h-80 overflow-y-auto"
      trigger={
        <Button size="sm" variant="quiet" icon={<UserRound />} aria-label={`Assigned to: ${name}`}>
          {name}
          <ChevronDown className="size-3.5!" />
        </Button>
      }
    >
      {user && (
        <MenuItem keys="a" onSelect={() => onAssign(user.id)}>
          Assign to me
        </MenuItem>
      )}
      {others.map(({ id, fullName, firstName, lastName }) => (
        <MenuItem
          key={id}
          icon={<Avatar kind="staff" size="xs" id={id} firstName={firstName} lastName={lastName} />}
          onSelect={() => onAssign(id)}
        >
          {fullName}
        </MenuItem>
      ))}
      {assignedTo !== null && (
        <>
          <MenuSeparator />
          <MenuItem onSelect={() => onAssign(null)}>Unassigned</MenuItem>
        </>
      )}
    </DropdownMenu>
  )
}
