import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { BookmarkPlus, Clock, DollarSign, Download, EllipsisVertical, Pencil, Printer, Save, Trash2, Users } from 'lucide-react'
import { useState } from 'react'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { useSession } from '../../../ui/client/session.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
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

type OpenDialog = 'new' | 'rename' | 'schedule'

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
  const may = usePermission()
  const changes = useSavedReportChanges(ask)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const own = current && user && mayChangeSaved(user, current) ? current : undefined
  const isChanged = current && !isSameAsk(current.ask, ask)

  return (
    <div className="flex flex-wrap gap-2">
      {ask.report === 'return' && may('leadSources.spend') && (
        <Button asChild icon={<DollarSign />}>
          <Link to="/reports/spend">{may('leadSources.setSpend') ? 'Enter spend' : 'View spend'}</Link>
        </Button>
      )}
      {own && isChanged ? (
        <Button
          icon={<Save />}
          onClick={() =>
            void changes.change(() => client.reports.change({ id: own.id, ask }), `${own.name} was saved`, `${own.name} was not saved`)
          }
        >
          Save
        </Button>
      ) : (
        !current &&
        may('reports.save') && (
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
        {current && may('reports.save') && (
          <MenuItem icon={<BookmarkPlus />} onSelect={() => setDialog('new')}>
            Save as…
          </MenuItem>
        )}
        {own && <OwnReportItems report={own} changes={changes} onOpenDialog={setDialog} />}
        {saved.length > 0 && <MenuSeparator />}
        {saved.map((report) => (
          <MenuItem key={report.id} onSelect={() => changes.open(report)}>
            {report.name}
          </MenuItem>
        ))}
      </DropdownMenu>
      <ReportDialogs dialog={dialog} ask={ask} current={current} changes={changes} onClose={() => setDialog(null)} />
    </div>
  )
}

type SavedReportChanges = ReturnType<typeof useSavedReportChanges>

/** Opens, changes and deletes saved reports. */
function useSavedReportChanges(ask: WebAsk) {
  const cache = useQueryClient()
  const navigate = useNavigate({ from: '/reports' })
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

  return { refresh, open, change, remove }
}

interface OwnReportItemsProps {
  report: Saved
  changes: SavedReportChanges
  onOpenDialog: (dialog: OpenDialog) => void
}

/** Menu items for a saved report that the user may change. */
function OwnReportItems({ report, changes, onOpenDialog }: OwnReportItemsProps) {
  return (
    <>
      <MenuItem icon={<Clock />} onSelect={() => onOpenDialog('schedule')}>
        {report.schedule ? 'Change emailing…' : 'Send by email…'}
      </MenuItem>
      <MenuItem icon={<Pencil />} onSelect={() => onOpenDialog('rename')}>
        Rename…
      </MenuItem>
      <MenuItem
        icon={<Users />}
        onSelect={() =>
          void changes.change(
            () => client.reports.change({ id: report.id, isShared: !report.isShared }),
            report.isShared ? `${report.name} is private` : `${report.name} is shared`,
            'Nothing was changed',
          )
        }
      >
        {report.isShared ? 'Make private' : 'Share'}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Trash2 />} danger onSelect={() => void changes.remove(report)}>
        Delete
      </MenuItem>
    </>
  )
}

interface ReportDialogsProps {
  dialog: OpenDialog | null
  ask: WebAsk
  current: Saved | undefined
  changes: SavedReportChanges
  onClose: () => void
}

function ReportDialogs({ dialog, ask, current, changes, onClose }: ReportDialogsProps) {
  return (
    <>
      {(dialog === 'new' || dialog === 'rename') && (
        <SaveDialog
          saved={dialog === 'rename' ? (current ?? null) : null}
          ask={ask}
          onClose={onClose}
          onSaved={(report) => {
            onClose()
            void changes.refresh()
            if (dialog === 'new') changes.open(report)
          }}
        />
      )}
      {dialog === 'schedule' && current && (
        <ScheduleDialog
          saved={current}
          onClose={onClose}
          onSaved={() => {
            onClose()
            void changes.refresh()
          }}
        />
      )}
    </>
  )
}
