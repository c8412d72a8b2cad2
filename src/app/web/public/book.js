// Shows the booking page on another website: <script src="https://refyne.clinic.example/book.js" data-visit="…" async></script>
// It sets no cookie and stores nothing, and needs no permission of a strict content security policy but this script and its frame.
{
  const script = document.currentScript
  const origin = new URL(script.src).origin
  const query = new URLSearchParams({ landing_page: location.href, referrer: document.referrer })
  // A website is light unless it says otherwise: 'dark', or 'system' as the visitor's device.
  query.set('theme', script.dataset.theme ?? 'light')
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
  let isShown = false
  addEventListener('message', ({ source, origin: from, data }) => {
    if (source !== frame.contentWindow || from !== origin) return
    isShown = true
    if (data?.refyneBookingHeight > 0) frame.style.height = `${data.refyneBookingHeight}px`
    // What comes next, which may be below the window.
    const below = frame.getBoundingClientRect().top + data?.refyneBookingNext - innerHeight
    if (below > 0) scrollBy({ top: below, behavior: 'smooth' })
  })
  // A page that may not be shown here, or cannot be reached, becomes a link.
  frame.addEventListener('load', () =>
    setTimeout(() => {
      if (isShown) return
      const link = document.createElement('a')
      link.href = frame.src
      link.textContent = frame.title
      frame.replaceWith(link)
    }, 3_000),
  )
  script.after(frame)
}
