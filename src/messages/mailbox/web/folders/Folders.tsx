import { useQueryClient } from '@tanstack/react-query'
import { ChevronDown, PenLine, Unplug } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import type { Connection } from '../mailbox-data.ts'
import { FolderList } from './FolderList.tsx'

const DisconnectDialog = lazyDialog(
  () => import('./DisconnectDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface FoldersProps extends ComponentProps<typeof FolderList> {
  connection: Connection
  onCompose: (() => void) | undefined
}

/** The left side: new email, folders, and the mailbox's address. */
export function Folders({ connection, onCompose, ...list }: FoldersProps) {
  return (
    <div className="flex min-h-full flex-col gap-2.5">
      {onCompose && (
        <Button block icon={<PenLine />} onClick={onCompose}>
          New email
        </Button>
      )}
      <FolderList {...list} />
      <Account connection={connection} />
    </div>
  )
}

function Account({ connection: { email } }: { connection: Connection }) {
  const cache = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  async function disconnect() {
    try {
      const connection = await client.mailbox.disconnect()
      cache.setQueryData(orpc.mailbox.connection.queryKey(), connection)
      cache.removeQueries({ queryKey: orpc.mailbox.key(), predicate: ({ state }) => state.data !== connection })
      toast.success('Your mailbox is disconnected')
    } catch (error) {
      toast.error('Your mailbox was not disconnected', messageOf(error))
      setAsking(false)
    }
  }
  return (
    <div className="mt-auto pt-3">
      <DropdownMenu
        align="start"
        trigger={
          <Button size="sm" variant="quiet" block className="justify-between">
            <span className="min-w-0 truncate">{email ?? 'Your mailbox'}</span>
            <ChevronDown className="size-3.5!" />
          </Button>
        }
      >
        <MenuItem icon={<Unplug />} danger onSelect={() => setAsking(true)}>
          Disconnect
        </MenuItem>
      </DropdownMenu>
      {isAsking && <DisconnectDialog email={email ?? 'your mailbox'} onConfirm={disconnect} onClose={() => setAsking(false)} />}
    </div>
  )
}
