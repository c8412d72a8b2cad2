// Shows the booking page on another website: <script src="https://refyne.clinic.example/book.js" data-visit="…" async></script>
// It sets no cookie and stores nothing, and needs no permission of a strict content security policy but this script and its frame.
{
  const script = document.currentScript
  const origin = new URL(script.src).origin
  const query = new URLSearchParams({ landing_page: location.href, referrer: document.referrer })
  for (const name of ['visit', 'provider', 'source']) if (script.dataset[name]) query.set(name, script.dataset[name])
  const isFrench = (script.dataset.language ?? document.documentElement.lang).startsWith('fr')
  if (isFrench || script.dataset.language || document.documentElement.lang.startsWith('en')) query.set('language', isFrench ? 'fr' : 'en')
  const ours = new URLSearchParams(location.search)
  for (const name of ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'gclid', 'fbclid'])
    if (ours.has(name)) query.set(name, ours.get(name))
  const frame = document.createElement('iframe')
  frame.src = `${origin}/book?${query}`
  frame.allow = 'payment'
  frame.title = script.dataset.title ?? (isFrench ? 'Prendre rendez-vous' : 'Book a visit')
  Object.assign(frame.style, { display: 'block', width: '100%', height: '48rem', border: '0' })
  addEventListener('message', ({ source, origin: from, data }) => {
    if (source === frame.contentWindow && from === origin && data?.refyneBookingHeight > 0)
      frame.style.height = `${data.refyneBookingHeight}px`
  })
  script.after(frame)
}
