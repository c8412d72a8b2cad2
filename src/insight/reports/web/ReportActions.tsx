import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { BookmarkPlus, Clock, Download, EllipsisVertical, Pencil, Printer, Save, Trash2, Users } from 'lucide-react'
import { useState } from 'react'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { useSession } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '../../../ui/overlays/DropdownMenu.tsx'
import { FileItem } from '../../../ui/display/ExportMenu.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { mayChangeSaved } from '../policy.ts'
import { saveLinked } from '../../../ui/client/save-file.ts'
import { fileAddress, isSameAsk, searchOf, type WebAsk } from './reports-search.ts'
import type { Saved } from './saved-data.ts'

const SaveDialog = lazyDialog(
  () => import('./SaveDialog.tsx'),
  ({ onClose }) => onClose(),
)
const ScheduleDialog = lazyDialog(
  () => import('./ScheduleDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface ReportActionsProps {
  ask: WebAsk
  /** The open saved report. */
  current: Saved | undefined
  /** Saved reports, when the list is hidden. */
  saved: readonly Saved[]
}

/** Actions for the current report: export, save, send. */
export function ReportActions({ ask, current, saved }: ReportActionsProps) {
  const { user } = useSession()
  const cache = useQueryClient()
  const navigate = useNavigate({ from: '/reports' })
  const [dialog, setDialog] = useState<'new' | 'rename' | 'schedule' | null>(null)
  const isMine = current && user && mayChangeSaved(user, current)
  const isChanged = current && !isSameAsk(current.ask, ask)
  const refresh = () => cache.invalidateQueries({ queryKey: orpc.reports.saved.key() })
  const open = (report: Saved) => void navigate({ search: searchOf(report.ask, report.id) })

  /** Shows a toast with the result. */
  async function change(action: () => Promise<unknown>, done: string, failed: string): Promise<void> {
    try {
      await action()
      toast.success(done)
    } catch (error) {
      toast.error(failed, messageOf(error))
    }
    await refresh()
  }
  async function remove({ id, name }: Saved): Promise<void> {
    try {
      await client.reports.delete({ id })
    } catch (error) {
      toast.error(`${name} was not deleted`, messageOf(error))
      return
    }
    void navigate({ search: searchOf(ask) })
    await refresh()
    const restore = async () => open(await client.reports.restore({ id }))
    toast.undoable(`${name} was deleted`, () => void change(restore, `${name} is back`, `${name} is not back`))
  }

  return (
    <div className="flex flex-wrap gap-2">
      {current && isMine && isChanged ? (
        <Button
          icon={<Save />}
          onClick={() =>
            void change(() => client.reports.change({ id: current.id, ask }), `${current.name} was saved`, `${current.name} was not saved`)
          }
        >
          Save
        </Button>
      ) : (
        !current && (
          <Button icon={<BookmarkPlus />} onClick={() => setDialog('new')}>
            Save report
          </Button>
        )
      )}
      <Button asChild icon={<Download />}>
        <a href={fileAddress(ask)} download onClick={saveLinked}>
          Export CSV
        </a>
      </Button>
      <DropdownMenu trigger={<IconButton label="Report options" icon={<EllipsisVertical />} />}>
        <FileItem href={fileAddress(ask, 'xlsx')}>Export Excel</FileItem>
        <MenuItem icon={<Printer />} onSelect={() => window.print()}>
          Print
        </MenuItem>
        {current && (
          <MenuItem icon={<BookmarkPlus />} onSelect={() => setDialog('new')}>
            Save as…
          </MenuItem>
        )}
        {current && isMine && (
          <>
            <MenuItem icon={<Clock />} onSelect={() => setDialog('schedule')}>
              {current.schedule ? 'Change emailing…' : 'Send by email…'}
            </MenuItem>
            <MenuItem icon={<Pencil />} onSelect={() => setDialog('rename')}>
              Rename…
            </MenuItem>
            <MenuItem
              icon={<Users />}
              onSelect={() =>
                void change(
                  () => client.reports.change({ id: current.id, isShared: !current.isShared }),
                  current.isShared ? `${current.name} is private` : `${current.name} is shared`,
                  'Nothing was changed',
                )
              }
            >
              {current.isShared ? 'Make private' : 'Share'}
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon={<Trash2 />} danger onSelect={() => void remove(current)}>
              Delete
            </MenuItem>
          </>
        )}
        {saved.length > 0 && <MenuSeparator />}
        {saved.map((report) => (
          <MenuItem key={report.id} onSelect={() => open(report)}>
            {report.name}
          </MenuItem>
        ))}
      </DropdownMenu>
      {(dialog === 'new' || dialog === 'rename') && (
        <SaveDialog
          saved={dialog === 'rename' ? (current ?? null) : null}
          ask={ask}
          onClose={() => setDialog(null)}
          onSaved={(report) => {
            setDialog(null)
            void refresh()
            if (dialog === 'new') open(report)
          }}
        />
      )}
      {dialog === 'schedule' && current && (
        <ScheduleDialog
          saved={current}
          onClose={() => setDialog(null)}
          onSaved={() => {
            setDialog(null)
            void refresh()
          }}
        />
      )}
    </div>
  )
}
