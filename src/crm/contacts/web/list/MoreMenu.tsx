import { Link } from '@tanstack/react-router'
import { ArchiveRestore, Ellipsis, FileUp, Inbox, Megaphone, Merge } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'
import { FileItem } from '../../../../ui/display/ExportMenu.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import type { ColumnId } from './columns/layout.ts'
import { exportAddress, exportQuery, sheetAddress } from './export-query.ts'
import type { ListSearch } from '../embed/list-search.ts'

const DeletedDialog = lazyDialog(
  () => import('./bulk/DeletedDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface MoreMenuProps {
  search: ListSearch
  /** The shown columns; undefined on the board. */
  shown: readonly ColumnId[] | undefined
}

/** Exports, imports, duplicates, leads to complete and deleted patients, by permission. */
export function MoreMenu({ search, shown }: MoreMenuProps) {
  const may = usePermission()
  const [showsDeleted, setShowsDeleted] = useState(false)
  if (!may('imports.list')) return null
  return (
    <>
      <DropdownMenu
        trigger={
          <Button variant="quiet" aria-label="More" className="w-11 px-0 md:w-8">
            <Ellipsis />
          </Button>
        }
      >
        {shown && <FileItem href={`${exportAddress}?${exportQuery(search, shown)}`}>Export CSV, these columns</FileItem>}
        <FileItem href={`${exportAddress}?${exportQuery(search)}`}>Export CSV, all fields</FileItem>
        <FileItem href={`${sheetAddress}?${exportQuery(search)}`}>Export Excel, all fields</FileItem>
        <MenuItem asChild>
          <Link to="/contacts/import">
            <FileUp />
            Import patients
          </Link>
        </MenuItem>
        {may('campaigns.create') && (
          <MenuItem asChild>
            <Link to="/campaigns" search={{ search: search.search, filter: search.filter }}>
              <Megaphone />
              New campaign to these patients
            </Link>
          </MenuItem>
        )}
        {may('duplicates.list') && (
          <MenuItem asChild>
            <Link to="/contacts/duplicates">
              <Merge />
              Possible duplicates
            </Link>
          </MenuItem>
        )}
        {may('leads.queue') && (
          <MenuItem asChild>
            <Link to="/contacts/leads">
              <Inbox />
              Leads to complete
            </Link>
          </MenuItem>
        )}
        {may('bulkChanges.deletions') && (
          <MenuItem icon={<ArchiveRestore />} onSelect={() => setShowsDeleted(true)}>
            Deleted patients
          </MenuItem>
        )}
      </DropdownMenu>
      {showsDeleted && <DeletedDialog onClose={() => setShowsDeleted(false)} />}
    </>
  )
}
