import { Link, useNavigate } from '@tanstack/react-router'
import {
  CalendarPlus,
  CreditCard,
  Ellipsis,
  FileText,
  FolderArchive,
  GitCommitHorizontal,
  Mail,
  Merge,
  MessageSquareText,
  Pencil,
  Phone,
  Trash2,
} from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { PatientPortrait } from '../chart/portraits/web/embed/PatientPortrait.tsx'
import { Button } from '../ui/controls/Button.tsx'
import { DropdownMenu, MenuItem, MenuSeparator, MenuSub } from '../ui/overlays/DropdownMenu.tsx'
import { type Clock, formatDate, formatShortDate } from '../ui/format.ts'
import { type Hotkey, useHotkeys } from '../ui/hooks/hotkeys.ts'
import { IconButton } from '../ui/controls/IconButton.tsx'
import { lazyDialog } from '../ui/overlays/lazy-dialog.tsx'
import { useKey } from '../ui/hooks/useKey.ts'
import { usePhone } from '../ui/hooks/useMedia.ts'
import { usePermission } from '../ui/client/usePermission.ts'
import { openPayment } from '../billing/payments/web/embed/payment-dialog.ts'
import { useTaskKey } from '../crm/tasks/web/embed/usePatientTasks.ts'
import { maskNumber } from '../crm/health-cards/rules.ts'
import { type HealthCardData, useHealthCard } from '../crm/health-cards/web/embed/useHealthCard.ts'
import { StageMenuItems } from '../crm/pipeline/web/embed/StageProgress.tsx'
import { formatBirth, placeName, procedureName, sourceName, telephoneLink, unknownSource } from '../crm/contacts/web/embed/contact-text.ts'
import { type ContactData, nameWithPreferred } from '../crm/contacts/web/embed/contact-data.ts'
import { byId, type Directory } from '../crm/contacts/web/embed/directory.ts'
import { EditableValue } from './edit/EditableFact.tsx'
import { type HeaderFact, useNextVisits } from './useNextVisits.ts'

const DeleteDialog = lazyDialog(
  () => import('./DeleteDialog.tsx'),
  ({ onClose }) => onClose(),
)

const BookDialog = lazyDialog(
  () => import('../care/appointments/web/embed/BookDialog.tsx'),
  ({ onClose }) => onClose(),
)

export const NewMessageDialog = lazyDialog(
  () => import('../messages/inbox/web/embed/NewMessageDialog.tsx'),
  ({ onClose }) => onClose(),
)

const NewTextDialog = lazyDialog(
  () => import('../messages/inbox/web/embed/NewTextDialog.tsx'),
  ({ onClose }) => onClose(),
)

const ExportRecordDialog = lazyDialog(
  () => import('../admin/patient-export/web/embed/ExportRecordDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface RecordHeaderProps {
  contact: ContactData
  directory: Directory
  clock: Clock
  onMove: (stageId: string) => void
  /** A call to the patient was started. */
  onCall: () => void
}

/** The patient's name, one line of facts, and the actions. On phones the actions are in a separate row below: see RecordActions. */
export function RecordHeader(props: RecordHeaderProps) {
  const { contact, directory, clock } = props
  const phone = usePhone()
  const visits = useNextVisits(contact.id, clock)
  const { card } = useHealthCard(contact.id)
  return (
    <header className="flex items-start gap-3 md:gap-3.5">
      <PatientPortrait contact={contact} />
      <div className="min-w-0 flex-1">
        <EditableValue fact="name" label="Name" heading className="text-xl font-semibold text-fg">
          {nameWithPreferred(contact)}
        </EditableValue>
        <FactsLine facts={getFacts({ contact, directory, clock, card, visits, isShort: phone })} />
      </div>
      {!phone && <RecordActions {...props} />}
    </header>
  )
}

interface KnownFacts extends Pick<RecordHeaderProps, 'contact' | 'directory' | 'clock'> {
  card: HealthCardData | null
  visits: readonly HeaderFact[]
  isShort: boolean
}

/** Who the patient is, their care and what comes next. A lead, whose birth date is not known yet, also has where they are from and whose it is. */
function getFacts({ contact, directory, clock, card, visits, isShort }: KnownFacts): readonly HeaderFact[] {
  const { dateOfBirth, pronouns, assignedProviderId, assignedSalesRepId } = contact
  const identity = [dateOfBirth && formatBirth(dateOfBirth, clock), pronouns, card && `Health card ${maskNumber(card.lastDigits)}`]
  const care = [procedureName(contact, directory), byId(directory.people, assignedProviderId)?.fullName ?? null]
  const owner = byId(directory.people, assignedSalesRepId)
  const source = sourceName(contact, directory)
  const origin = [
    owner ? `Owner ${owner.fullName}` : assignedSalesRepId === null ? 'No owner' : null,
    `Added ${formatShortDate(contact.createdAt, clock)}${source === unknownSource ? '' : ` from ${source}`}`,
  ]
  const lead = dateOfBirth === null ? [placeName(contact), ...(isShort ? [] : origin)] : []
  const texts = [...identity, ...care, ...lead].filter((text) => text !== null)
  const facts = [...texts.map((text) => ({ text })), ...visits]
  return facts.length > 0 ? facts : [{ text: `Added ${formatDate(contact.createdAt, clock.timeZone)}` }]
}

function FactsLine({ facts }: { facts: readonly HeaderFact[] }) {
  return (
    <p className="text-sm text-fg-2">
      {facts.map(({ text, tab }, index) => (
        // Keep a fact and its dot together; lines break between facts.
        <span key={text} className="inline-block max-w-full">
          {tab ? (
            <Link
              to="."
              search={{ tab }}
              replace
              className="relative rounded-xs font-medium text-fg tabular-nums touch-target hover:underline max-md:inline-block max-md:leading-6"
            >
              {text}
            </Link>
          ) : (
            text
          )}
          {index < facts.length - 1 && (
            <span aria-hidden="true" className="px-1.5 text-fg-3">
              ·
            </span>
          )}
        </span>
      ))}
    </p>
  )
}

/** The most common actions (Call and Edit on phones, else Email and Book) and a menu with the rest, as far as the role allows. */
export function RecordActions({ contact, directory, onMove, onCall }: RecordHeaderProps) {
  const phone = usePhone()
  const may = usePermission()
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState(false)
  const [writing, setWriting] = useState(false)
  const [texting, setTexting] = useState(false)
  const [booking, setBooking] = useState(false)
  const [exporting, setExporting] = useState(false)
  const actions = useRef<HTMLDivElement>(null)
  const focusMenu = (event: Event) => {
    event.preventDefault()
    actions.current?.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.focus()
  }
  useTaskKey(contact)
  useHotkeys(
    useMemo<Hotkey[]>(() => [{ keys: 'b', label: 'Book appointment', group: 'Patient', run: () => setBooking(true) }], []),
    may('appointments.book'),
  )
  const edit = () => void navigate({ to: '/contacts/$id/edit', params: { id: contact.id } })
  useKey('e', 'Edit patient', edit)
  const mayMerge = may('contacts.merge')
  const mayDelete = may('contacts.delete')
  const mayPay = may('pos.createReceipt')
  const mayWrite = may('inbox.start')
  const mayBook = may('appointments.book')
  const merge = useCallback(() => void navigate({ to: '/contacts/$id/merge', params: { id: contact.id } }), [navigate, contact.id])
  useHotkeys(
    useMemo<Hotkey[]>(() => [{ keys: 'm', label: 'Merge with another patient', group: 'Patient', run: merge }], [merge]),
    mayMerge,
  )

  const mayQuote = may('quotes.create')
  const quote = useCallback(() => void navigate({ to: '/contacts/$id/quotes/new', params: { id: contact.id } }), [navigate, contact.id])
  useHotkeys(
    useMemo<Hotkey[]>(() => [{ keys: 'q', label: 'New quote', group: 'Patient', run: quote }], [quote]),
    mayQuote,
  )

  return (
    <div ref={actions} className="flex flex-none gap-2 md:pt-2">
      <CommonActions
        contact={contact}
        onCall={onCall}
        onWrite={() => setWriting(true)}
        onText={() => setTexting(true)}
        onBook={() => setBooking(true)}
      />
      {(!phone || mayMerge || mayDelete || mayPay || mayWrite || mayBook) && (
        <DropdownMenu trigger={<IconButton label="More actions" variant="outlined" size="lg" icon={<Ellipsis />} />}>
          {/* Phones have a separate stage menu under the bars, and no room for a submenu. */}
          {!phone && (
            <>
              <MenuItem icon={<Pencil />} keys="e" onSelect={edit}>
                Edit
              </MenuItem>
              <MenuSub label="Move to stage" icon={<GitCommitHorizontal />}>
                <StageMenuItems stages={directory.stages} currentId={contact.funnelStageId} onMove={onMove} />
              </MenuSub>
            </>
          )}
          {phone && mayWrite && (
            <MenuItem icon={<Mail />} onSelect={() => setWriting(true)}>
              New message
            </MenuItem>
          )}
          {phone && may('inbox.text') && (
            <MenuItem icon={<MessageSquareText />} onSelect={() => setTexting(true)}>
              New text message
            </MenuItem>
          )}
          {phone && mayBook && (
            <MenuItem icon={<CalendarPlus />} keys="b" onSelect={() => setBooking(true)}>
              Book appointment
            </MenuItem>
          )}
          {mayQuote && (
            <MenuItem icon={<FileText />} keys="q" onSelect={quote}>
              New quote
            </MenuItem>
          )}
          {mayPay && (
            <MenuItem icon={<CreditCard />} onSelect={() => openPayment({ contactId: contact.id })}>
              Take Payment
            </MenuItem>
          )}
          {mayMerge && (
            <MenuItem icon={<Merge />} keys="m" onSelect={merge}>
              Merge…
            </MenuItem>
          )}
          {may('wholeRecords.file') && (
            <MenuItem icon={<FolderArchive />} onSelect={() => setExporting(true)}>
              Export patient record…
            </MenuItem>
          )}
          {mayDelete && (
            <>
              <MenuSeparator />
              <MenuItem icon={<Trash2 />} danger onSelect={() => setDeleting(true)}>
                Delete patient
              </MenuItem>
            </>
          )}
        </DropdownMenu>
      )}
      {booking && <BookDialog patient={contact} onClose={() => setBooking(false)} />}
      {writing && <NewMessageDialog patient={contact} onClose={() => setWriting(false)} />}
      {texting && <NewTextDialog patient={contact} onClose={() => setTexting(false)} />}
      {exporting && <ExportRecordDialog contact={contact} onClose={() => setExporting(false)} returnFocus={focusMenu} />}
      {deleting && <DeleteDialog contact={contact} onClose={() => setDeleting(false)} />}
    </div>
  )
}

interface CommonActionsProps {
  contact: ContactData
  onWrite: () => void
  onText: () => void
  onBook: () => void
  onCall: () => void
}

/** The buttons for the most common actions: Call and Edit on phones, else Email, Text and Book. */
function CommonActions({ contact, onWrite, onText, onBook, onCall }: CommonActionsProps) {
  const phone = usePhone()
  const may = usePermission()
  const callLink = telephoneLink(contact.phone)
  return (
    <>
      {phone && callLink && (
        <Button asChild icon={<Phone />} className="flex-1 text-md">
          <a href={callLink} onClick={onCall}>
            Call
          </a>
        </Button>
      )}
      {phone && (
        <Button asChild icon={<Pencil />} className="flex-1 text-md">
          <Link to="/contacts/$id/edit" params={{ id: contact.id }}>
            Edit
          </Link>
        </Button>
      )}
      {!phone && may('inbox.start') && (
        <Button icon={<Mail />} onPointerEnter={NewMessageDialog.prepare} onClick={onWrite}>
          Email
        </Button>
      )}
      {!phone && may('inbox.text') && (
        <Button icon={<MessageSquareText />} onPointerEnter={NewTextDialog.prepare} onClick={onText}>
          Text
        </Button>
      )}
      {!phone && may('appointments.book') && (
        <Button icon={<CalendarPlus />} onPointerEnter={BookDialog.prepare} onClick={onBook}>
          Book
        </Button>
      )}
    </>
  )
}
