import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ContactData } from '../../../crm/contacts/web/embed/contact-data.ts'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { useLive, whileLeaving } from '../../../ui/client/live.ts'
import { leaveTo } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { Skeleton } from '../../../ui/display/Skeleton.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { Dialog, DialogBody, DialogFooter } from '../../../ui/overlays/Dialog.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { countdownText } from '../../web/labels.ts'
import { useCountdown } from '../../web/useCountdown.ts'
import { type TabletItem, tabletState } from '../rules.ts'

interface UseTabletDialogProps {
  patient: ContactData
  onClose: () => void
}
type Opened = Awaited<ReturnType<typeof client.tablet.open>>

/** What the patient shall do, then the code that opens it on a tablet. */
export default function UseTabletDialog({ patient, onClose }: UseTabletDialogProps) {
  const [opened, setOpened] = useState<Opened | null>(null)
  return opened ? (
    <CodeDialog opened={opened} onOpened={setOpened} onClose={onClose} />
  ) : (
    <ItemsDialog patient={patient} onOpened={setOpened} onClose={onClose} />
  )
}

/**
 * Signs out here, so that nothing but the tablet's page can be reached, and opens that page with its code. Until it opens, this page asks for
 * nothing: the server would refuse it.
 */
async function openHere({ code }: Opened, cache: QueryClient) {
  await whileLeaving(async () => {
    await cache.cancelQueries()
    await client.auth.signOut({})
  })
  leaveTo(`/tablet#${code}`)
}

function ItemsDialog({ patient, onOpened, onClose }: UseTabletDialogProps & { onOpened: (opened: Opened) => void }) {
  const cache = useQueryClient()
  const items = useQuery(orpc.tablet.ofContact.queryOptions({ input: { contactId: patient.id }, staleTime: 0 }))
  const templates = useQuery(orpc.forms.templates.queryOptions({ staleTime: 0 }))
  const [unchecked, setUnchecked] = useState<readonly string[]>([])
  const chosen = (items.data?.items ?? []).filter(({ id }) => !unchecked.includes(id))
  const form = useActionForm({
    initial: { added: null as string | null, isHere: false },
    check: ({ added }) => ({ items: chosen.length === 0 && added === null ? 'Choose what the patient does' : undefined }),
    async send({ added, isHere }) {
      const asked: TabletItem[] = chosen.map(({ kind, id }) => ({ kind, id }))
      if (added !== null) {
        const { id } = await client.forms.send({ contactId: patient.id, templateId: added, email: null })
        asked.push({ kind: 'form', id })
      }
      const opened = await client.tablet.open({ contactId: patient.id, items: asked })
      if (isHere) await openHere(opened, cache)
      return opened
    },
    onDone(opened, { isHere }) {
      if (isHere) return
      void cache.invalidateQueries({ queryKey: orpc.forms.ofContact.key() })
      void cache.invalidateQueries({ queryKey: orpc.tablet.ofContact.key() })
      onOpened(opened)
    },
    refusals: { ALREADY_SENT: 'added' },
  })
  const open = new Set(items.data?.items.map(({ title }) => title.en))
  const addable = templates.data?.filter(
    ({ isActive, publishedNumber, title }) => isActive && publishedNumber !== null && !open.has(title.en),
  )
  return (
    <ActionDialog
      title="Use tablet"
      description="The patient does what you choose on a tablet in the practice. Nothing else can be reached on it."
      form={form}
      action={{
        label: form.values.isHere ? 'Sign out and open here' : 'Show code',
        busyLabel: 'Opening…',
        isUnready: !items.data,
      }}
      onClose={onClose}
    >
      {items.error && !items.data ? (
        <ErrorState title="Couldn’t load what the patient can do" onRetry={() => void items.refetch()} retrying={items.isFetching}>
          {messageOf(items.error)}
        </ErrorState>
      ) : !items.data ? (
        <Skeleton className="h-9 w-full" />
      ) : (
        <>
          {items.data.items.length > 0 && (
            <fieldset className="flex flex-col gap-2.5">
              <legend className="pb-2 text-sm font-medium">To do on the tablet</legend>
              {items.data.items.map(({ kind, id, title }) => (
                <CheckboxLine
                  key={id}
                  hint={kind === 'consent form' ? 'Consent form to read and sign' : 'Form to fill in'}
                  checked={!unchecked.includes(id)}
                  onCheckedChange={(isChecked) => setUnchecked(isChecked ? unchecked.filter((one) => one !== id) : [...unchecked, id])}
                >
                  {title.en}
                </CheckboxLine>
              ))}
            </fieldset>
          )}
          <Field
            label={items.data.items.length > 0 ? 'Another form to fill in (optional)' : 'Form to fill in'}
            error={form.problems.added ?? form.problems.items}
            hint={addable?.length === 0 ? 'No other form is published.' : undefined}
          >
            <Select
              value={form.values.added}
              onValueChange={(added) => form.set({ added })}
              options={(addable ?? []).map(({ id, title }) => ({ value: id, label: title.en }))}
            />
          </Field>
          <CheckboxLine
            checked={form.values.isHere}
            onCheckedChange={(isHere) => form.set({ isHere })}
            hint="Signs you out everywhere first. Close other windows before you hand the device over."
          >
            On this device
          </CheckboxLine>
        </>
      )}
    </ActionDialog>
  )
}

interface CodeDialogProps {
  opened: Opened
  onOpened: (opened: Opened) => void
  onClose: () => void
}

/** The code, until it is entered. */
function CodeDialog({ opened, onOpened, onClose }: CodeDialogProps) {
  const until = new Date(opened.codeExpiresAt).getTime()
  const left = useCountdown(until)
  const [isBusy, setBusy] = useState(false)
  const query = useQuery(orpc.tablet.ofContact.queryOptions({ input: { contactId: opened.contactId } }))
  useLive(['tablet'], () => void query.refetch(), { debounceMs: 100 })
  const session = query.data?.session?.id === opened.id ? query.data.session : opened
  const state = tabletState(session, until - left * 1000)
  async function renew() {
    setBusy(true)
    try {
      const items = opened.items.map(({ kind, id }) => ({ kind, id }))
      onOpened(await client.tablet.open({ contactId: opened.contactId, items }))
    } catch (error) {
      toast.error('No new code was made', messageOf(error))
    }
    setBusy(false)
  }
  const isWaiting = state === 'waiting'
  return (
    <Dialog onClose={onClose} title="Use tablet">
      <DialogBody className="flex flex-col gap-4">
        {isWaiting ? (
          <>
            <p className="text-sm text-fg-2">
              Open <strong className="font-semibold text-fg">{`${location.host}/tablet`}</strong> on the tablet and enter this code. It
              works once.
            </p>
            <p className="rounded-lg bg-subtle py-5 text-center text-4xl font-semibold tracking-[0.12em] tabular-nums" aria-label="Code">
              {`${opened.code.slice(0, 4)} ${opened.code.slice(4)}`}
            </p>
            <p role="timer" className="text-sm text-fg-2 tabular-nums">{`Expires in ${countdownText(left)}`}</p>
          </>
        ) : state === 'in_use' ? (
          <Alert tone="success" title="The tablet is open.">
            Hand it to the patient. It signs out after 3 minutes without activity, and you see here what is done.
          </Alert>
        ) : state === 'expired' ? (
          <Alert tone="warning" title="The code has expired." />
        ) : (
          <Alert tone="info" title="The tablet has signed out." />
        )}
      </DialogBody>
      <DialogFooter>
        <Button size="lg" variant={isWaiting || state === 'in_use' ? 'filled' : 'outlined'} onClick={onClose}>
          Close
        </Button>
        {!isWaiting && state !== 'in_use' && (
          <Button size="lg" variant="filled" busy={isBusy} busyLabel="Making a code…" onClick={() => void renew()}>
            New code
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  )
}
