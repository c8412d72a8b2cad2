import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { orpc } from '../../../../../ui/client/api.ts'
import { usePermission } from '../../../../../ui/client/usePermission.ts'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { lazyDialog } from '../../../../../ui/overlays/lazy-dialog.tsx'
import { prepaidLabels } from '../../../../prepaid/rules.ts'
import type { PosItem } from '../../../contract.ts'
import type { CartAction } from './cart.ts'

const PackageDialog = lazyDialog(
  () => import('./PackageDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface SellPrepaidProps {
  /** Adds a gift card or credit, whose amount is its price. */
  onAdd: (item: PosItem) => void
  onPackage: (action: Extract<CartAction, { do: 'package' }>) => void
  /** The tax code of a line of this item. */
  taxCodeOf: (item: PosItem) => string | null
}

/** What can be sold now and used later; nothing if QuickBooks has no items for it. */
export function SellPrepaid({ onAdd, onPackage, taxCodeOf }: SellPrepaidProps) {
  const may = usePermission()
  const { data } = useQuery(orpc.prepaid.sellable.queryOptions({ enabled: may('prepaid.sellable') }))
  const [packageItem, setPackageItem] = useState<PosItem | null>(null)
  if (!data || data.kinds.length === 0) return null
  const itemOf = ({ itemId, itemName }: { itemId: string; itemName: string }): PosItem => ({
    qbItemId: itemId,
    name: itemName,
    description: null,
    unitPrice: 0,
    taxCodeRef: data.taxCodeId,
  })
  return (
    <div className="flex flex-wrap gap-1.5 pt-2">
      {data.kinds.map((sold) => (
        <Button
          key={sold.kind}
          size="sm"
          onClick={() => (sold.kind === 'package' ? setPackageItem({ ...itemOf(sold), taxCodeRef: null }) : onAdd(itemOf(sold)))}
        >
          Add {prepaidLabels[sold.kind].toLowerCase()}
          {sold.kind === 'package' && '…'}
        </Button>
      ))}
      {packageItem && (
        <PackageDialog
          without={data.notInPackages}
          onClose={() => setPackageItem(null)}
          onAdd={(given) => {
            const taxCodeId = taxCodeOf(given.taxed)
            if (taxCodeId !== null)
              onPackage({ do: 'package', item: packageItem, taxCodeId, unitPrice: given.priceCents, sold: given.sold })
            setPackageItem(null)
          }}
        />
      )}
    </div>
  )
}
