import { Download } from 'lucide-react'
import { saveLinked } from '../client/save-file.ts'
import { Button } from '../controls/Button.tsx'
import { DropdownMenu, MenuItem } from '../overlays/DropdownMenu.tsx'
import { IconButton } from '../controls/IconButton.tsx'

interface ExportMenuProps {
  /** File name of the export, without extension. */
  address: string
  /** Filters of the list. */
  filters: Readonly<Record<string, string | undefined>>
  /** In a row of icons. */
  compact?: boolean
}

/** Exports a list with all its pages. Shown to permitted users; the server refuses others. */
export function ExportMenu({ address, filters, compact }: ExportMenuProps) {
  const given = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const query = new URLSearchParams(given)
  return (
    <DropdownMenu
      trigger={compact ? <IconButton label="Export" variant="outlined" icon={<Download />} /> : <Button icon={<Download />}>Export</Button>}
    >
      <FileItem href={`${address}.csv?${query}`}>Export CSV</FileItem>
      <FileItem href={`${address}.xlsx?${query}`}>Export Excel</FileItem>
    </DropdownMenu>
  )
}

/** A download link in a menu. */
export function FileItem({ href, children }: { href: string; children: string }) {
  return (
    <MenuItem asChild>
      <a href={href} download onClick={saveLinked}>
        <Download />
        {children}
      </a>
    </MenuItem>
  )
}
