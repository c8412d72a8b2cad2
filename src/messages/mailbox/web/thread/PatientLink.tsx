import { Link } from '@tanstack/react-router'
import { Link2, Unlink, UserRound } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { Popover } from '../../../../ui/overlays/Popover.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { ContactPicker } from '../../../../crm/contacts/web/embed/ContactPicker.tsx'
import { type Party, partyName, type ThreadData } from '../mailbox-data.ts'
import type { Actions } from '../useActions.ts'

const UnlinkDialog = lazyDialog(
  () => import('./UnlinkDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** The patient whose timeline the thread is on. */
export function PatientLink({ thread, actions }: { thread: ThreadData; actions: Actions }) {
  const { id, contact, known } = thread
  const [busyWith, setBusyWith] = useState<string | null>(null)
  const [isUnlinking, setUnlinking] = useState(false)
  const [isChoosing, setChoosing] = useState(false)

  async function link(to: string) {
    if (busyWith !== null) return
    setBusyWith(to)
    const linked = await actions.link(id, to)
    setBusyWith(null)
    if (!linked) return
    setChoosing(false)
    const isTheirs = known.some(({ contact: party }) => party.id === linked.id)
    toast.success(
      `Linked to ${partyName(linked)}`,
      isTheirs
        ? 'Its emails, including future ones, are on their timeline.'
        : 'None of the addresses in it is on their record. If this was a mistake, unlink it.',
    )
  }

  if (contact) {
    return (
      <div className="flex min-w-0 items-center gap-1">
        <Link
          to="/contacts/$id"
          params={{ id: contact.id }}
          className="relative inline-flex h-7 min-w-0 items-center gap-1.5 rounded-sm bg-accent-soft px-2 text-xs font-medium text-accent-fg touch-target hover:underline"
        >
          <UserRound aria-hidden="true" className="size-3.5! flex-none" />
          <span className="sr-only">Linked to </span>
          <span className="truncate">{partyName(contact)}</span>
        </Link>
        <IconButton label="Unlink" size="sm" icon={<Unlink />} onClick={() => setUnlinking(true)} />
        {isUnlinking && (
          <UnlinkDialog
            name={partyName(contact)}
            onClose={() => setUnlinking(false)}
            onConfirm={async () => {
              if (await actions.unlink(id)) toast.success(`Unlinked from ${partyName(contact)}`)
              setUnlinking(false)
            }}
          />
        )}
      </div>
    )
  }
  const parties = [...new Map(known.map(({ contact: party }) => [party.id, party])).values()].slice(0, 3)
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-1">
      {parties.map((party: Party) => (
        <Button
          key={party.id}
          size="sm"
          icon={<Link2 />}
          busy={busyWith === party.id}
          onClick={() => void link(party.id)}
          className="max-w-full"
        >
          <span className="truncate">Link to {partyName(party)}</span>
        </Button>
      ))}
      <Popover
        label="Link to a patient"
        control={{ open: isChoosing, onOpenChange: setChoosing }}
        className="w-80"
        trigger={
          <Button size="sm" variant={parties.length > 0 ? 'quiet' : 'outlined'} icon={parties.length > 0 ? undefined : <Link2 />}>
            {parties.length > 0 ? 'Another patient' : 'Link to a patient'}
          </Button>
        }
      >
        <div className="flex flex-col gap-2">
          <p className="text-sm text-fg-2">The thread stands on the patient’s timeline then, with what is still to come.</p>
          <ContactPicker aria-label="Patient" value={busyWith} onValueChange={(chosen) => chosen && void link(chosen)} />
        </div>
      </Popover>
    </div>
  )
}
