import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import type { Connection } from './connection.ts'
import { useConnect } from './useConnect.ts'

const DisconnectDialog = lazyDialog(
  () => import('./DisconnectDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** Actions for administrators. */
export function ConnectionActions({ status: { state, companyName } }: { status: Connection }) {
  const cache = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const connect = useConnect()
  const disconnect = useMutation(
    orpc.quickbooks.disconnect.mutationOptions({
      onSuccess: () => toast.success('QuickBooks is disconnected'),
      onError: (error) => toast.error('QuickBooks was not disconnected', messageOf(error)),
      onSettled: async () => {
        await cache.invalidateQueries({ queryKey: orpc.quickbooks.key() })
        setAsking(false)
      },
    }),
  )
  if (state === 'off') return null
  return (
    <div className="flex flex-wrap gap-2 pt-4">
      {state !== 'connected' && (
        <Button variant="filled" busy={connect.isPending} busyLabel="Connecting…" onClick={() => connect.mutate(undefined)}>
          {state === 'none' ? 'Connect to QuickBooks' : 'Reconnect'}
        </Button>
      )}
      {state !== 'none' && (
        <Button variant="danger" onClick={() => setAsking(true)}>
          Disconnect
        </Button>
      )}
      {isAsking && (
        <DisconnectDialog
          companyName={companyName ?? 'QuickBooks'}
          busy={disconnect.isPending}
          onConfirm={() => disconnect.mutate(undefined)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
