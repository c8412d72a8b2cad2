import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ClipboardList, Copy, EllipsisVertical, Flag, Send, Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { type ContactData, fullName } from '../../../../crm/contacts/web/embed/contact-data.ts'
import { shownFormStatus } from '../../status-rules.ts'
import type { SentFormData } from '../form-data.ts'
import { ReviewDialog } from './FormsToReview.tsx'
import { formatSentLine, statusLabels, statusTones } from '../labels.ts'

const SendFormDialog = lazyDialog(
  () => import('../SendFormDialog.tsx'),
  ({ onClose }) => onClose(),
)
const FormDrawer = lazyDialog(
  () => import('../FormDrawer.tsx'),
  ({ onClose }) => onClose(),
)

interface PatientFormsProps {
  patient: ContactData
  /** Beside "Send form". */
  actions?: ReactNode
  /** Above the list. */
  children?: ReactNode
}

/** The forms that a patient was sent, and how far they are. Those who see answers can open a submitted one. */
export function PatientForms({ patient, actions, children }: PatientFormsProps) {
  const cache = useQueryClient()
  const may = usePermission()
  const list = useQuery(orpc.forms.ofContact.queryOptions({ input: { contactId: patient.id } }))
  const refresh = () => void cache.invalidateQueries({ queryKey: orpc.forms.ofContact.key() })
  useLive(['form'], refresh, { debounceMs: 300 })
  const [isSending, setSending] = useState(false)
  const [opened, setOpened] = useState<SentFormData | null>(null)
  const [reviewed, setReviewed] = useState<SentFormData | null>(null)
  const [withdrawn, setWithdrawn] = useState<SentFormData | null>(null)
  const mayRead = may('forms.get')
  const send = (
    <Button icon={<Send />} onPointerEnter={SendFormDialog.prepare} onClick={() => setSending(true)}>
      Send form
    </Button>
  )
  return (
    <section aria-label="Forms" className="max-w-160 pb-5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 pb-1">
        <h3 className="flex-1 text-title font-semibold">Forms</h3>
        {actions}
        {list.data && list.data.length > 0 && send}
      </div>
      {children}
      {list.error && !list.data ? (
        <ErrorState title="Couldn’t load forms" onRetry={() => void list.refetch()} retrying={list.isFetching}>
          {messageOf(list.error)}
        </ErrorState>
      ) : list.isPending ? (
        <div role="status" aria-label="Loading" className="flex flex-col gap-3 py-3">
          <Skeleton className="w-2/3" />
          <Skeleton className="w-1/2" />
        </div>
      ) : list.data.length === 0 ? (
        <EmptyState icon={<ClipboardList />} title="No forms yet" actions={send}>
          Send a medical history or another form. The patient fills it in on a phone or computer.
        </EmptyState>
      ) : (
        <ul aria-label="Forms" className="-mx-2">
          {list.data.map((form) => (
            <FormRow
              key={form.id}
              form={form}
              onOpen={mayRead && form.status === 'submitted' ? () => setOpened(form) : undefined}
              onReview={() => setReviewed(form)}
              onWithdraw={() => setWithdrawn(form)}
            />
          ))}
        </ul>
      )}
      {isSending && (
        <SendFormDialog
          patient={patient}
          onClose={() => setSending(false)}
          onSent={() => {
            setSending(false)
            refresh()
          }}
        />
      )}
      {reviewed && <ReviewDialog form={reviewed} patient={patient} onClose={() => setReviewed(null)} />}
      {opened && (
        <FormDrawer
          form={opened}
          onReview={
            opened.needsReview
              ? () => {
                  setOpened(null)
                  setReviewed(opened)
                }
              : undefined
          }
          onClose={() => setOpened(null)}
        />
      )}
      {withdrawn && (
        <WithdrawDialog
          form={withdrawn}
          name={fullName(patient)}
          onClose={() => setWithdrawn(null)}
          onDone={() => {
            setWithdrawn(null)
            refresh()
          }}
        />
      )}
    </section>
  )
}

interface FormRowProps {
  form: SentFormData
  /** Not given if the form cannot be read. */
  onOpen: (() => void) | undefined
  onReview: () => void
  onWithdraw: () => void
}

function FormRow({ form, onOpen, onReview, onWithdraw }: FormRowProps) {
  const clock = useClock()
  const status = shownFormStatus(form, clock.now)
  const isOpen = status === 'sent' || status === 'started'
  const facts = (
    <span className="min-w-0 flex-1 basis-64">
      <span className="block truncate font-medium text-fg">{form.title.en}</span>
      <span className="block text-xs text-fg-3">{formatSentLine(form, clock)}</span>
      {form.emailProblem && <span className="block text-xs text-danger-fg">The email was not sent: {form.emailProblem}</span>}
    </span>
  )
  const state = (
    <>
      {form.redFlagCount !== null && form.redFlagCount > 0 && (
        <Badge tone="danger" icon={<Flag aria-hidden="true" />}>
          {form.redFlagCount === 1 ? '1 red flag' : `${form.redFlagCount} red flags`}
        </Badge>
      )}
      {form.needsReview ? <Badge tone="warning">Needs review</Badge> : <Badge tone={statusTones[status]}>{statusLabels[status]}</Badge>}
    </>
  )
  const line = 'flex min-h-11 min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1 rounded-sm px-2 py-1.5 text-left text-sm'
  return (
    <li className="flex items-center gap-1 pr-2">
      {onOpen ? (
        <button
          type="button"
          onPointerEnter={FormDrawer.prepare}
          onClick={onOpen}
          className={`${line} outline-offset-[-2px] hover:bg-hover`}
        >
          {facts}
          {state}
        </button>
      ) : (
        <div className={line}>
          {facts}
          {state}
        </div>
      )}
      {form.needsReview ? (
        <Button size="sm" onPointerEnter={ReviewDialog.prepare} onClick={onReview} aria-label={`Review ${form.title.en}`}>
          Review
        </Button>
      ) : isOpen ? (
        <DropdownMenu trigger={<IconButton label={`Actions for ${form.title.en}`} icon={<EllipsisVertical />} />}>
          <MenuItem icon={<Copy />} onSelect={() => void copyLink(form.link)}>
            Copy link
          </MenuItem>
          {form.sentTo !== null && (
            <MenuItem icon={<Send />} onSelect={() => void resend(form)}>
              Resend email
            </MenuItem>
          )}
          <MenuItem icon={<Undo2 />} danger onSelect={onWithdraw}>
            Withdraw form
          </MenuItem>
        </DropdownMenu>
      ) : (
        <span aria-hidden="true" className="size-9 flex-none md:size-(--control)" />
      )}
    </li>
  )
}

async function resend({ id, sentTo }: SentFormData) {
  try {
    await client.forms.resend({ id })
    toast.success(`Form sent to ${sentTo}`)
  } catch (error) {
    toast.error('The form was not sent', messageOf(error))
  }
}

async function copyLink(link: string) {
  try {
    await navigator.clipboard.writeText(link)
    toast.success('Link copied')
  } catch {
    toast.error('Couldn’t copy the link', link)
  }
}

interface WithdrawDialogProps {
  form: SentFormData
  name: string
  onClose: () => void
  onDone: () => void
}

function WithdrawDialog({ form, name, onClose, onDone }: WithdrawDialogProps) {
  const [isBusy, setBusy] = useState(false)
  async function withdraw() {
    setBusy(true)
    try {
      await client.forms.withdraw({ id: form.id })
      toast.success('Form withdrawn')
      onDone()
    } catch (error) {
      toast.error('The form was not withdrawn', messageOf(error))
      onClose()
    }
  }
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Withdraw ${form.title.en}?`}
      action={{ label: 'Withdraw form', busyLabel: 'Withdrawing…', isDanger: true }}
      isBusy={isBusy}
      onConfirm={() => void withdraw()}
    >
      {name} can no longer open it. {form.status === 'started' ? 'The answers so far are deleted.' : ''}
    </ConfirmDialog>
  )
}
