import { useMutation } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { type Client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { formatAgo, formatDateTime } from '../../../../ui/format.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import { roleNames } from '../../../../kernel/access/rules.ts'

type InvitationData = Awaited<ReturnType<Client['people']['invitations']>>[number]

interface InvitationRowProps {
  invitation: InvitationData
  onChanged: () => void
}

/** A pending invitation. */
export function InvitationRow({ invitation: { id, email, role, sentAt, expiresAt }, onChanged }: InvitationRowProps) {
  const clock = useClock()
  const resend = useMutation(
    orpc.people.resendInvitation.mutationOptions({
      onSuccess: () => toast.success('A new link is on its way', `The previous link no longer works.`),
      onError: (error) => toast.error('No new link was sent', messageOf(error)),
      onSettled: onChanged,
    }),
  )
  const withdraw = useMutation(
    orpc.people.withdrawInvitation.mutationOptions({
      onSuccess: () => toast.success('Invitation withdrawn', 'Its link no longer works.'),
      onError: (error) => toast.error('The invitation was not withdrawn', messageOf(error)),
      onSettled: onChanged,
    }),
  )
  const isOver = new Date(expiresAt).getTime() <= new Date(clock.now).getTime()
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line py-2 last:border-b-0">
      <span aria-hidden="true" className="flex-none text-fg-3 [&_svg]:size-5">
        <Mail />
      </span>
      <span className="min-w-0 flex-1 basis-40">
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 text-md font-medium text-fg">
          <span className="truncate">{email}</span>
          {isOver && <Badge tone="warning">Link expired</Badge>}
        </span>
        <span className="block text-sm text-fg-3" title={`The link works until ${formatDateTime(expiresAt, clock)}`}>
          {roleNames[role]} · sent {formatAgo(sentAt, clock).replace('Just', 'just')}
        </span>
      </span>
      <span className="flex flex-none gap-2">
        <Button
          size="sm"
          aria-label={`Resend: ${email}`}
          busy={resend.isPending}
          busyLabel="Sending…"
          onClick={() => resend.mutate({ id })}
        >
          Resend
        </Button>
        <Button
          size="sm"
          variant="danger"
          aria-label={`Withdraw: ${email}`}
          busy={withdraw.isPending}
          busyLabel="Withdrawing…"
          onClick={() => withdraw.mutate({ id })}
        >
          Withdraw
        </Button>
      </span>
    </li>
  )
}
