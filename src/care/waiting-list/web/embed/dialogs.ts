import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'

export const WishDialog = lazyDialog(
  () => import('../WishDialog.tsx'),
  ({ onClose }) => onClose(),
)
export const OfferDialog = lazyDialog(
  () => import('../OfferDialog.tsx'),
  ({ onClose }) => onClose(),
)
export const GapDialog = lazyDialog(
  () => import('../GapDialog.tsx'),
  ({ onClose }) => onClose(),
)
