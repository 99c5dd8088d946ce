// What classes, ids and roles say about a part of a page, in the words that templates use for them, in several languages.

import type { DomElement } from "./dom.ts";

/** Never part of an article, unless the part so named holds much of the page's prose. */
const boilerplate = `
  advert advertisement advertising advertorial adsense adslot adunit adbox adwrap dfp gpt outbrain taboola revcontent mgid zergnet
  sponsor sponsored sponsors promo promos promotion promoted promobox
  share sharing shares shareit sharebar sharebox sharedaddy sharethis addthis addtoany social socials socialbar socialmedia
  follow followus followbar newsletter newsletters subscribe subscription signup optin mailinglist paywall regwall
  related relatedposts relatedarticles relatedlinks relatednews recommended recommendation recommendations recommend recirc recirculation
  trending popular mostread mostpopular mostviewed readnext upnext nextup morestories morenews morefrom readmore alsoread alsolike
  seealso crosslink crosslinks interlinks
  comment comments commentlist commentform respond disqus livefyre fbcomments reply replies trackback trackbacks pingback
  cookie cookies cookiebanner consent gdpr ccpa onetrust
  breadcrumb breadcrumbs crumbs crumb nav navbar navigation topnav subnav sitenav menu menus submenu megamenu pagination pager paging pagenav
  sidebar rail rightrail footer masthead skiplink skiplinks skip toolbar tooltip
  modal popup popover lightbox overlay interstitial toast
  sronly printonly noprint
  copyright disclaimer disclosure
  byline bylines authorbox authorbio authorinfo authorcard aboutauthor bio
  taglist tagcloud posttags entrytags articletags hashtags
  postmeta entrymeta articlemeta storymeta metadata metabar timestamp dateline pubdate publishdate postdate
  readingtime readtime
  login signin register donate donation donations cta calltoaction
  werbung anzeige teilen kommentare kommentar verwandte empfehlungen newsletteranmeldung autorenbox
  partager partage commentaires commentaire publicite pub abonnement
  compartir relacionados relacionadas relacionado comentarios publicidad boletin etiquetas
  condividi correlati commenti pubblicita
  compartilhar compartilhe leiatambem publicidade comentario
  reklama komentarze powiazane
  delen gerelateerd reacties advertentie
`;

/** Labels of an article: dropped where there is hardly text in them. */
const label = `
  ad ads adv banner author authors date time datetime meta tag tags topics keywords category categories credit credits
  teaser teasers rating ratings vote counter views buttons button icons share
`;

/** Often lists of links, also used for real content: dropped where most of the text is links. */
const listing = `
  widget widgets links linklist more next prev previous list latest headlines stories slider carousel gallery topic poll tools actions action
  utility controls header footer top bottom box aside side secondary contact about profile user info source
  shop store product products buy cart affiliate deal deals app download toc jump anchor player video audio podcast
`;

const wordsOf = (list: string): Set<string> => new Set(list.split(/\s+/).filter(Boolean));
const boilerplateWords = wordsOf(boilerplate);
const labelWords = wordsOf(label);
const listingWords = wordsOf(listing);

/** Two words that mean something only together. */
const boilerplatePairs = wordsOf(`
  read-next read-more read-also more-stories more-news more-from more-articles most-read most-popular most-viewed up-next also-read also-like you-may
  may-like related-posts see-also sign-up sign-in log-in social-share share-bar share-buttons share-tools author-bio author-box author-info author-card
  about-author article-author post-author entry-author author-name author-wrapper
  post-meta entry-meta article-meta story-meta post-info article-info article-tags post-tags entry-tags tag-list tags-list tag-links tags-links
  post-date entry-date article-date publish-date published-date date-published date-time last-updated
  reading-time read-time screen-reader sr-only visually-hidden skip-link skip-to print-only no-print page-nav post-nav post-navigation nav-links
  email-signup opt-in mailing-list image-credit photo-credit img-credit media-credit image-source photo-source copyright-notice
  site-footer site-header page-footer page-header global-header global-nav cookie-banner cookie-notice jp-relatedposts
  right-rail left-rail ad-container ad-wrapper ad-slot ad-unit ad-placeholder ad-label in-article-ad top-stories latest-news trending-now
  recommended-posts next-prev prev-next next-article next-post prev-post previous-post story-footer article-footer post-footer entry-footer article-bottom
  view-count post-views post-ratings entry-utility comment-count article-actions article-tools article-toolbar story-tools
  social-links social-icons social-media follow-us
`);

export function nameWords(element: DomElement): string[] {
  const names = `${element.getAttribute("class") ?? ""} ${element.id ?? ""} ${element.getAttribute("data-component") ?? ""} ${element.getAttribute("data-testid") ?? ""}`;
  // A class list this long is a framework's; what it says about the part stands at its start.
  return names
    .slice(0, 600)
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/\s+/)
    .flatMap((name) => [...name.split(/[-_:./\d]+/).filter(Boolean), ""]);
}

export type Named = "boilerplate" | "label" | "listing" | null;

export function judgeName(element: DomElement): Named {
  const words = nameWords(element);
  let named: Named = null;
  for (const [i, word] of words.entries()) {
    if (word === "") continue;
    if (boilerplateWords.has(word) || boilerplatePairs.has(`${word}-${words[i + 1] ?? ""}`)) return "boilerplate";
    if (labelWords.has(word)) named = "label";
    else if (listingWords.has(word)) named ??= "listing";
  }
  return named;
}

const bodyPattern =
  /(?:^|[\s_-])(?:article|story|post|entry|blog|news|main|page|detail|content)[-_]{0,2}(?:body|content|text|copy|main)(?:[-_]{0,2}(?:text|content|body|inner|wrapper|container))?(?=$|[\s_-])|articlebody|storybody|postcontent|articlecontent|articletext|entrycontent|caas-body|richtext|rich-text/i;

/** Named as the body of an article. */
export function isBodyNamed(element: DomElement): boolean {
  if ((element.getAttribute("itemprop") ?? "").split(/\s+/).includes("articleBody")) return true;
  return bodyPattern.test(`${element.getAttribute("class") ?? ""} ${element.id ?? ""}`.slice(0, 600));
}

const boilerplateRoles =
  /^(navigation|complementary|banner|contentinfo|search|dialog|alertdialog|alert|menu|menubar|toolbar|tooltip|tablist|button|status|form)$/;

export const isBoilerplateRole = (element: DomElement): boolean =>
  boilerplateRoles.test(element.getAttribute("role") ?? "");
